import { Button, FileButton, Group, Text, Title } from '@mantine/core'
import { api } from '../../api/client.ts'
import { invalidate } from '../../api/reads.ts'
import { errorDialog } from '../../ui/feedback/confirm-dialog.tsx'
import { useAct } from '../../ui/feedback/use-act.ts'
import { sameFileAgain } from '../../ui/fields/same-file-again.ts'
import { Panel } from '../../ui/layout/panel.tsx'
import classes from './logo.module.css'

/** The picture at the head of invoices. A new one is saved at once, apart from the form. */
export function Logo({ logo }: { logo: string | null }) {
  const [busy, run] = useAct()
  const change = (write: () => Promise<unknown>) =>
    run(async () => {
      await write()
      await invalidate('company')
    })
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
