import { EMAIL_MAX, PASSWORD_MAX } from '@backstock/contract/role.ts'
import { Button, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { errorMessage } from '../../api/error.ts'
import { login } from '../../api/session.ts'
import { tellInterrupted } from '../../ui/feedback/interrupted.ts'
import { Mark } from '../../ui/values/mark.tsx'
import classes from './login-page.module.css'

const SPINNER_AFTER_ERROR_MS = 250

export default function LoginPage() {
  const navigate = useNavigate()
  const [email, setEmail] = useState('')
  const [emailError, setEmailError] = useState<string | null>(null)
  const [password, setPassword] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const emailInput = useRef<HTMLInputElement>(null)
  const passwordInput = useRef<HTMLInputElement>(null)
  const passwordOk = password.length > 0 && password.length <= PASSWORD_MAX

  useEffect(() => {
    document.title = 'Log in · Backstock'
  }, [])

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const field = emailInput.current
    if (busy || !field) return
    setEmailError(field.validity.valid ? null : field.validationMessage)
    if (!field.validity.valid) return field.focus()
    if (!passwordOk) {
      setError('Enter your password.')
      return passwordInput.current?.focus()
    }
    setBusy(true)
    setError(null)
    try {
      const { id } = await login(email.trim(), password)
      await navigate({ to: '/admin/stock' })
      tellInterrupted(id)
    } catch (failure) {
      setTimeout(() => {
        setBusy(false)
        setPassword('')
        setError(errorMessage(failure))
        passwordInput.current?.focus()
      }, SPINNER_AFTER_ERROR_MS)
    }
  }

  return (
    <main className={classes['page']}>
      <div className={classes['card']}>
        <Link to="/" className={classes['logo']} aria-label="Backstock">
          <Mark size={36} />
          <span>Backstock</span>
        </Link>
        <Title order={1} mb={4}>
          Log in
        </Title>
        <Text c="dimmed" size="sm" mb="lg">
          For staff only.
        </Text>
        <form noValidate onSubmit={(event) => void submit(event)}>
          <Stack gap="sm">
            <TextInput
              ref={emailInput}
              size="md"
              label="Email"
              type="email"
              name="username"
              autoComplete="username"
              autoFocus
              required
              withAsterisk={false}
              maxLength={EMAIL_MAX}
              value={email}
              error={emailError}
              onChange={(event) => {
                const field = event.currentTarget
                setEmail(field.value)
                setEmailError(field.validity.valid ? null : field.validationMessage)
              }}
            />
            <PasswordInput
              ref={passwordInput}
              size="md"
              label="Password"
              name="password"
              autoComplete="current-password"
              required
              withAsterisk={false}
              maxLength={PASSWORD_MAX}
              value={password}
              error={error}
              visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password', tabIndex: 0 }}
              onChange={(event) => {
                setPassword(event.currentTarget.value)
                if (error) setError(null)
              }}
            />
            <Button type="submit" size="md" fullWidth mt="xs" loading={busy}>
              Log in
            </Button>
          </Stack>
        </form>
      </div>
    </main>
  )
}
