import type { Receivable } from '@backstock/contract/bulk-edit.ts'
import { Button, Group, Stack } from '@mantine/core'
import IconScan from '@tabler/icons-react/dist/esm/icons/IconScan.mjs'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import { api, idempotencyKey } from '../../api/client.ts'
import { errorMessage } from '../../api/error.ts'
import { showToast } from '../../api/toast.ts'
import { useAct } from '../../ui/feedback/use-act.ts'
import { receive } from '../bulk/bulk.ts'
import { ReceivedActs } from '../bulk/received-acts.tsx'
import { beginCheck, checkPath } from './delivery-check.ts'

/** The items of an import that can be received, and the bulk edits that received items and can be undone. */
export const receivable = (importId: number) => ({
  queryKey: ['stock', 'receivable', importId],
  queryFn: async ({ signal }: { signal: AbortSignal }) =>
    (await api.get<Receivable>('stock/bulk/receivable', { query: { import_id: importId }, signal })).data,
})

/** The next step after an import: receive its Inbound items, or check them by scanning. */
export function ImportReceipt({ importId }: { importId: number }) {
  const { data } = useQuery(receivable(importId))
  const [running, run] = useAct()
  const [beginning, runBegin] = useAct()
  const key = useRef(idempotencyKey())
  const navigate = useNavigate()
  if (!data || (data.inbound === 0 && data.undoable.length === 0)) return null

  const receiveAll = () =>
    run(async () => {
      await receive('stock/bulk/receive', key.current, { import_id: importId })
      key.current = idempotencyKey()
    })
  const check = () =>
    runBegin(async () => {
      try {
        await navigate({ to: checkPath(await beginCheck({ import_id: importId }, idempotencyKey())) })
      } catch (error) {
        showToast({ type: 'error', message: errorMessage(error) })
      }
    })
  return (
    <Stack gap="xs" mb="sm">
      {data.inbound > 0 && (
        <Group gap="xs">
          <Button size="xs" loading={running} onClick={() => void receiveAll()}>
            Receive all ({data.inbound.toLocaleString('en')})
          </Button>
          <Button
            size="xs"
            variant="default"
            loading={beginning}
            leftSection={<IconScan size={14} />}
            onClick={() => void check()}
          >
            Check the delivery
          </Button>
        </Group>
      )}
      <ReceivedActs acts={data.undoable} />
    </Stack>
  )
}
