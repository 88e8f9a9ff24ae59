import { Button, FileButton, Group, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'
import { invalidate } from '../../api/reads.ts'
import { errorDialog } from '../../ui/feedback/confirm-dialog.tsx'
import { sameFileAgain } from '../../ui/fields/same-file-again.ts'
import { Panel } from '../../ui/layout/panel.tsx'
import classes from './logo.module.css'

/** The picture at the head of invoices. A new one is saved at once, apart from the form. */
export function Logo({ logo }: { logo: string | null }) {
  const [busy, setBusy] = useState(false)
  const change = async (write: () => Promise<unknown>) => {
    setBusy(true)
    try {
      await write()
      await invalidate('company')
    } catch (error) {
      // The call has shown a toast with the reason. The logo stays as it was.
      if (!(error instanceof ApiError)) throw error
    } finally {
      setBusy(false)
    }
  }
  const upload = (file: File | null) => {
    if (!file) return
    if (!file.type.startsWith('image/')) return errorDialog('Only image files are allowed')
    const body = new FormData()
    body.append('logo', file)
    void change(() => api.post('company/logo', { body }))
  }
  return (
    <Panel mb="md">
      <Title order={2} mb="sm">
        Logo
      </Title>
      <Group gap="lg">
        <div className={classes['frame']}>
          {logo ? (
            <img src={logo} alt="Your logo" className={classes['picture']} />
          ) : (
            <Text size="sm" c="dimmed">
              No logo: documents show your name only
            </Text>
          )}
        </div>
        <Group gap="sm">
          <FileButton
            accept="image/png,image/jpeg,image/webp,image/gif"
            onChange={upload}
            inputProps={{ 'aria-label': 'Logo', onClick: sameFileAgain }}
          >
            {(choose) => (
              <Button {...choose} variant="default" loading={busy}>
                Upload logo
              </Button>
            )}
          </FileButton>
          {logo && (
            <Button variant="default" disabled={busy} onClick={() => void change(() => api.del('company/logo'))}>
              Remove logo
            </Button>
          )}
        </Group>
      </Group>
    </Panel>
  )
}
