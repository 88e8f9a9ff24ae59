import type { WriteAnswer } from '@backstock/contract/answer.ts'
import type { Partner } from '@backstock/contract/partner.ts'
import { Button, CopyButton, Group, Stack, Text, TextInput, Title } from '@mantine/core'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import IconKey from '@tabler/icons-react/dist/esm/icons/IconKey.mjs'
import { useEffect, useRef, useState } from 'react'
import { api } from '../../api/client.ts'
import { invalidate } from '../../api/reads.ts'
import { confirmDialog } from '../../ui/feedback/confirm-dialog.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { DANGER } from '../../ui/layout/theme.ts'

const REPLACE = 'Generate a new key? The old key stops working at once.'
const REVOKE = 'Revoke the key? It stops working at once, and the partner gets no new one.'
/** All toasts about the key have this subject, so that a new one replaces the last. */
const TOLD = { toldAs: 'partner key' }

/**
 * The partner's API key. A button generates a key, which is shown once. It works until the next one is generated or
 * somebody revokes it.
 */
export function PartnerKey({ partner }: { partner: Partner }) {
  const [key, setKey] = useState<string | null>(null)
  const [working, setWorking] = useState<'generating' | 'revoking' | null>(null)

  // The buttons are disabled during a call, and the pressed button may disappear afterwards. Then another element must
  // get the focus.
  const box = useRef<HTMLInputElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const wasWorking = useRef(false)
  useEffect(() => {
    if (wasWorking.current && working === null && document.activeElement === document.body)
      (box.current ?? button.current)?.focus()
    wasWorking.current = working !== null
  }, [working])

  const change = async (what: 'generating' | 'revoking', work: () => Promise<string | null>) => {
    setWorking(what)
    try {
      setKey(await work())
      await invalidate('partner')
    } catch {
      // The call has shown a toast with the reason. The old key, if there is one, still works.
    } finally {
      setWorking(null)
    }
  }
  const generate = async () => {
    if (partner.has_key && !(await confirmDialog(REPLACE, 'Generate'))) return
    await change(
      'generating',
      async () => (await api.post<WriteAnswer<string>>(`partner/${partner.id}/generate-token`, TOLD)).data,
    )
  }
  const revoke = async () => {
    if (!(await confirmDialog(REVOKE, 'Revoke'))) return
    await change('revoking', async () => {
      await api.post(`partner/${partner.id}/revoke-token`, TOLD)
      return null
    })
  }

  return (
    <Panel>
      <Stack gap="sm">
        <Group justify="space-between">
          <div>
            <Title order={2}>API key</Title>
            <Text size="sm" c="dimmed">
              {partner.has_key ? 'This partner has a key. It cannot be shown again.' : 'This partner has no key.'}
            </Text>
          </div>
          <Group gap="xs">
            {partner.has_key && (
              <Button
                variant="outline"
                color={DANGER}
                loading={working === 'revoking'}
                disabled={working === 'generating'}
                onClick={() => void revoke()}
              >
                Revoke
              </Button>
            )}
            <Button
              ref={button}
              variant="default"
              loading={working === 'generating'}
              disabled={working === 'revoking'}
              leftSection={<IconKey size={16} stroke={1.6} />}
              onClick={() => void generate()}
            >
              Generate
            </Button>
          </Group>
        </Group>
        {key !== null && (
          <Group align="flex-end" gap="xs" wrap="nowrap">
            <TextInput
              ref={box}
              label="New key"
              description="Copy it now: it is shown only once."
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
