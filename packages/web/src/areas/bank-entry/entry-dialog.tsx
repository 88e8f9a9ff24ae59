import type { WriteAnswer } from '@backstock/contract/answer.ts'
import type { BankEntry } from '@backstock/contract/bank-entry.ts'
import { MAX_SALES_OF_ENTRY } from '@backstock/contract/bank-entry-state.ts'
import { CURRENCY, formatMoney } from '@backstock/contract/money.ts'
import { MAX_PAYMENT } from '@backstock/contract/payment-state.ts'
import type { SaleRow } from '@backstock/contract/sale.ts'
import { Alert, Button, CloseButton, Group, Modal, Stack, Text } from '@mantine/core'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { type FormEvent, useRef, useState } from 'react'
import { api } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'
import { invalidate } from '../../api/reads.ts'
import { formatDate } from '../../ui/fields/date-format.ts'
import { MoneyInput } from '../../ui/fields/money-input.tsx'
import { RemoteSelect } from '../../ui/fields/remote-select.tsx'
import classes from './bank-entry.module.css'
import { bookEntries } from './book-entries.ts'

/** A line of the dialog. `amount` is positive, also for money that went out. */
type Line = { key: number; sale_id: number | null; open_amount: number; amount: number | null }

const money = (amount: number) => `${formatMoney(Math.abs(amount))} ${CURRENCY}`
const saleLabel = ({ id, invoice_number, customer_company_name, customer_name, open_amount }: SaleRow) =>
  `${invoice_number ?? `Sale #${id}`} · ${customer_company_name ?? customer_name} · ${
    open_amount < 0 ? `to give back ${money(open_amount)}` : `open ${money(open_amount)}`
  }`

/** Books one entry as a person says: which sales it pays, and how much of each. It can also set the entry aside. */
export default function EntryDialog({ entry, onClose }: { entry: BankEntry; onClose: () => void }) {
  const rest = entry.amount - entry.booked
  const way = Math.sign(rest)
  const lines = useRef(0)
  const made = (line: Omit<Line, 'key'>): Line => ({ key: ++lines.current, ...line })
  const [chosen, setChosen] = useState<Line[]>(() => {
    const proposed = entry.proposal?.payments ?? []
    return proposed.length > 0
      ? proposed.map(({ sale_id, open_amount, amount }) => made({ sale_id, open_amount, amount: Math.abs(amount) }))
      : [made({ sale_id: null, open_amount: 0, amount: Math.abs(rest) })]
  })
  const [sending, setSending] = useState<'book' | 'aside' | null>(null)
  const [trouble, setTrouble] = useState<string | null>(null)
  const element = useRef<HTMLFormElement>(null)
  const left = Math.abs(rest) - chosen.reduce((sum, { amount }) => sum + (amount ?? 0), 0)
  const change = (key: number, patch: Partial<Line>) =>
    setChosen((now) => now.map((line) => (line.key === key ? { ...line, ...patch } : line)))
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
    if (sending || !element.current?.checkValidity()) return
    if (chosen.some(({ sale_id, amount }) => sale_id === null || !amount))
      return setTrouble('Choose a sale and an amount on each line.')
    const payments = chosen.map(({ sale_id, open_amount, amount }) => ({
      ...{ sale_id: sale_id!, open_amount, amount: way * amount! },
    }))
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
  return (
    <Modal
      opened
      size="lg"
      onClose={() => void close()}
      title={`${way > 0 ? 'Received' : 'Paid out'}: ${money(rest)} on ${formatDate(entry.booked_on, 'dd/MM/yyyy')}`}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <form ref={element} onSubmit={book} noValidate>
        <Stack gap="sm">
          {trouble && (
            <Alert color="red" role="alert">
              {trouble}
            </Alert>
          )}
          <EntryFacts entry={entry} />
          <ul className={classes['lines']} aria-label="Sales">
            {chosen.map((line, n) => (
              <li key={line.key}>
                <RemoteSelect<SaleRow>
                  area="sale"
                  label={chosen.length > 1 ? `Sale ${n + 1}` : 'Sale'}
                  required
                  clearable={false}
                  labelOf={saleLabel}
                  value={line.sale_id}
                  onChange={(sale_id, sale) => change(line.key, { sale_id, open_amount: sale?.open_amount ?? 0 })}
                />
                <MoneyInput
                  label={chosen.length > 1 ? `Amount ${n + 1}` : 'Amount'}
                  withAsterisk
                  max={MAX_PAYMENT}
                  value={line.amount}
                  onChange={(amount) => change(line.key, { amount })}
                />
                {chosen.length > 1 && (
                  <CloseButton
                    aria-label={`Remove sale ${n + 1}`}
                    onClick={() => setChosen((now) => now.filter(({ key }) => key !== line.key))}
                  />
                )}
              </li>
            ))}
          </ul>
          <Group justify="space-between">
            <Button
              variant="subtle"
              size="compact-sm"
              leftSection={<IconPlus size={14} />}
              disabled={chosen.length >= MAX_SALES_OF_ENTRY}
              onClick={() =>
                setChosen((now) => [...now, made({ sale_id: null, open_amount: 0, amount: Math.max(0, left) || null })])
              }
            >
              Another sale
            </Button>
            <Text size="sm" c={left < 0 ? 'red' : 'dimmed'} aria-live="polite">
              {left === 0
                ? 'The whole amount is assigned.'
                : left > 0
                  ? `${money(left)} still to be booked.`
                  : `${money(left)} too much.`}
            </Text>
          </Group>
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

/** The facts from the bank's file about an entry. */
function EntryFacts({ entry }: { entry: BankEntry }) {
  const { name, iban, remittance, end_to_end, bank_reference, account, file_name, proposal } = entry
  const facts = [
    [entry.amount > 0 ? 'From' : 'To', [name, iban].filter(Boolean).join(' · ')],
    ['Text', remittance],
    ['End-to-end reference', end_to_end],
    ["Bank's reference", bank_reference],
    ['Account', `${account}, file ${file_name}`],
    ['Proposal', proposal?.why],
  ].filter(([, value]) => value)
  return (
    <dl className={classes['facts']}>
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
