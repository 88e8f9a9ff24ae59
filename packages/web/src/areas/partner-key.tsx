import type { WriteAnswer } from '@backstock/contract/answer.ts'
import type { Partner } from '@backstock/contract/partner.ts'
import { Button, CopyButton, Group, Stack, Text, TextInput, Title } from '@mantine/core'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import IconKey from '@tabler/icons-react/dist/esm/icons/IconKey.mjs'
import { useState } from 'react'
import { api } from '../api/client.ts'
import { invalidate } from '../api/reads.ts'
import { confirmDialog } from '../ui/confirm-dialog.tsx'
import { Panel } from '../ui/panel.tsx'

const REPLACE = 'Generate a new key? The old key stops working at once.'

/** The partner's API key: generated here, shown once, and ending the one before. */
export function PartnerKey({ partner }: { partner: Partner }) {
  const [key, setKey] = useState<string | null>(null)
  const [working, setWorking] = useState(false)

  const generate = async () => {
    if (partner.has_key && !(await confirmDialog(REPLACE, 'Generate'))) return
    setWorking(true)
    try {
      const { data } = await api.post<WriteAnswer<string>>(`partner/${partner.id}/generate-token`)
      setKey(data)
      await invalidate('partner')
    } catch {
      // The call has shown why; the key that is there, if any, still works.
    } finally {
      setWorking(false)
    }
  }

  return (
    <Panel>
      <Stack gap="sm">
        <Group justify="space-between">
          <div>
            <Title order={2}>API key</Title>
            <Text size="sm" c="dimmed">
              {partner.has_key ? 'This partner has a key. It cannot be shown again.' : 'This partner has no key yet.'}
            </Text>
          </div>
          <Button
            variant="default"
            loading={working}
            leftSection={<IconKey size={16} stroke={1.6} />}
            onClick={() => void generate()}
          >
            Generate
          </Button>
        </Group>
        {key !== null && (
          <Group align="flex-end" gap="xs" wrap="nowrap">
            <TextInput
              label="New key"
              description="Copy it now: it is shown only this once."
              readOnly
              autoFocus
              flex={1}
              value={key}
              inputWrapperOrder={['label', 'description', 'input']}
              styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
              onFocus={(event) => event.currentTarget.select()}
            />
            <CopyButton value={key}>
              {({ copied, copy }) => (
                <Button leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />} onClick={copy}>
                  {copied ? 'Copied' : 'Copy'}
                </Button>
              )}
            </CopyButton>
          </Group>
        )}
      </Stack>
    </Panel>
  )
}
