import type { BankEntry } from '@backstock/contract/bank-entry.ts'
import { Button } from '@mantine/core'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import { useQuery } from '@tanstack/react-query'
import { invalidate } from '../../api/reads.ts'
import type { ListRead } from '../../crud/area.ts'
import { listRows } from '../../crud/list-read.ts'
import { useListState } from '../../crud/use-list-state.ts'
import { useAct } from '../../ui/feedback/use-act.ts'
import { bookEntries } from './book-entries.ts'
import { hasProposal, useChosenEntries } from './chosen-entries.ts'

/** Books the ticked entries of this page as proposed. */
export function BookButton({ list }: { list: ListRead }) {
  const [state] = useListState(list)
  const { data } = useQuery(listRows<BankEntry>(list, state))
  const { isTicked, forget } = useChosenEntries()
  const [sending, run] = useAct()
  const ticked = (data?.data ?? []).flatMap((entry) =>
    hasProposal(entry) && entry.proposal && isTicked(entry) ? { entry, payments: entry.proposal.payments } : [],
  )
  const payments = ticked.reduce((sum, { payments }) => sum + payments.length, 0)
  if (data === undefined || data.total === 0) return null
  const book = () =>
    run(async () => {
      try {
        await bookEntries(ticked)
        forget(ticked.map(({ entry }) => entry))
      } catch (error) {
        // Some entries may have changed.
        await invalidate('bank-entry')
        throw error
      }
    })
  return (
    <Button
      leftSection={<IconCheck size={16} />}
      disabled={payments === 0}
      loading={sending}
      onClick={() => void book()}
    >
      {payments === 0
        ? 'Book payments'
        : `Book ${payments.toLocaleString('en')} ${payments === 1 ? 'payment' : 'payments'}`}
    </Button>
  )
}
