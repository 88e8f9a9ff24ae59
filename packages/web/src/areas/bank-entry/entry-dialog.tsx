import type { WriteAnswer } from '@backstock/contract/answer.ts'
import type { BankEntry } from '@backstock/contract/bank-entry.ts'
import { Alert, Button, Group, Modal, Stack } from '@mantine/core'
import { type FormEvent, useRef, useState } from 'react'
import { api } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'
import { invalidate } from '../../api/reads.ts'
import { formatDate } from '../../ui/fields/date-format.ts'
import { bookEntries } from './book-entries.ts'
import { EntryFacts } from './entry-facts.tsx'
import { EntryLines, type Line, money, proposedAmount } from './entry-lines.tsx'

/** Books one entry as a person says: which sales it pays, and how much of each. It can also set the entry aside. */
export default function EntryDialog({ entry, onClose }: { entry: BankEntry; onClose: () => void }) {
  const rest = entry.amount - entry.booked
  const way = Math.sign(rest)
  const lines = useRef(0)
  const made = (line: Omit<Line, 'key' | 'isTyped'>): Line => ({ key: ++lines.current, isTyped: false, ...line })
  const [chosen, setChosen] = useState<Line[]>(() => {
    const proposed = entry.proposal?.payments ?? []
    return proposed.length > 0
      ? proposed.map(({ sale_id, open_amount, amount }) => made({ sale_id, open_amount, amount: Math.abs(amount) }))
      : [made({ sale_id: null, open_amount: 0, amount: Math.abs(rest) })]
  })
  const [sending, setSending] = useState<'book' | 'aside' | null>(null)
  const [trouble, setTrouble] = useState<string | null>(null)
  const left = Math.abs(rest) - chosen.reduce((sum, { amount }) => sum + (amount ?? 0), 0)
  const change = (key: number, patch: Partial<Line>) =>
    setChosen((now) => now.map((line) => (line.key === key ? { ...line, ...patch } : line)))
  const choose = (key: number, sale_id: number | null, open_amount: number) =>
    setChosen((now) => {
      const others = now.reduce((sum, line) => (line.key === key ? sum : sum + (line.amount ?? 0)), 0)
      const amount = proposedAmount(Math.abs(rest) - others, way * open_amount)
      const chosen = { sale_id, open_amount }
      return now.map((line) => {
        if (line.key !== key) return line
        return line.isTyped ? { ...line, ...chosen } : { ...line, ...chosen, amount }
      })
    })
  const remove = (key: number) => setChosen((now) => now.filter((line) => line.key !== key))
  const add = () =>
    setChosen((now) => [...now, made({ sale_id: null, open_amount: 0, amount: Math.max(0, left) || null })])
  const attempt = async (what: 'book' | 'aside', work: () => Promise<unknown>) => {
    setSending(what)
    setTrouble(null)
    try {
      await work()
      onClose()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setTrouble(error.message)
    } finally {
      setSending(null)
    }
  }
  const book = (event: FormEvent) => {
    event.preventDefault()
    if (sending) return
    const payments = chosen.flatMap(({ sale_id, open_amount, amount }) =>
      sale_id !== null && amount ? { sale_id, open_amount, amount: way * amount } : [],
    )
    if (payments.length < chosen.length) return setTrouble('Choose a sale and an amount on each line.')
    void attempt('book', () => bookEntries([{ entry, payments }], { tellsTrouble: true }))
  }
  const setAside = () =>
    attempt('aside', async () => {
      const body = { is_aside: true, updated_at: entry.updated_at }
      await api.post<WriteAnswer<BankEntry>>(`bank-entry/${entry.id}/set-aside`, { body, tellsTrouble: true })
      await invalidate('bank-entry')
    })
  const close = async () => {
    // After an error the screen may show an old state, so the entries are read again.
    if (trouble) await invalidate('bank-entry')
    onClose()
  }
  const day = formatDate(entry.booked_on, 'dd/MM/yyyy')
  const title = `${way > 0 ? 'Received' : 'Paid out'}: ${money(entry.amount)} on ${day}`
  return (
    <Modal opened size="lg" onClose={() => void close()} title={title} closeButtonProps={{ 'aria-label': 'Close' }}>
      <form onSubmit={book} noValidate>
        <Stack gap="sm">
          {trouble && (
            <Alert color="red" role="alert">
              {trouble}
            </Alert>
          )}
          <EntryFacts entry={entry} />
          <EntryLines
            lines={chosen}
            way={way}
            left={left}
            onChoose={choose}
            onChange={change}
            onRemove={remove}
            onAdd={add}
          />
          <Group justify="flex-end" gap="xs" mt="xs">
            {entry.booked === 0 && (
              <Button
                variant="default"
                mr="auto"
                loading={sending === 'aside'}
                disabled={sending === 'book'}
                onClick={() => void setAside()}
              >
                Set aside
              </Button>
            )}
            <Button variant="default" onClick={() => void close()}>
              Cancel
            </Button>
            <Button type="submit" loading={sending === 'book'} disabled={sending === 'aside' || left < 0}>
              Book
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
