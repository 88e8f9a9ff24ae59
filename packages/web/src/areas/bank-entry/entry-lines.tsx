import { MAX_SALES_OF_ENTRY } from '@backstock/contract/bank-entry-state.ts'
import { CURRENCY, formatMoney } from '@backstock/contract/money.ts'
import { MAX_PAYMENT } from '@backstock/contract/payment-state.ts'
import type { SaleRow } from '@backstock/contract/sale.ts'
import { Button, CloseButton, Group, Text } from '@mantine/core'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { MoneyInput } from '../../ui/fields/money-input.tsx'
import { RemoteSelect } from '../../ui/fields/remote-select.tsx'
import classes from './bank-entry.module.css'

/**
 * A line of the dialog. `amount` is positive, also for money that went out. `isTyped` says that a person has typed it:
 * then the choice of another sale does not change it.
 */
export type Line = {
  key: number
  sale_id: number | null
  open_amount: number
  amount: number | null
  isTyped: boolean
}

/** An amount without its sign. */
export const money = (amount: number) => `${formatMoney(Math.abs(amount))} ${CURRENCY}`
const saleLabel = ({ id, invoice_number, customer_company_name, customer_name, open_amount }: SaleRow) =>
  `${invoice_number ?? `Sale #${id}`} · ${customer_company_name ?? customer_name} · ${
    open_amount < 0 ? `refund due ${money(open_amount)}` : `open ${money(open_amount)}`
  }`

/**
 * The amount that is proposed for a sale: what of the entry is left for it, but not more than is open. If nothing is
 * open, it is all that is left: the customer has paid too much, and gets it back.
 */
export const proposedAmount = (left: number, open: number): number | null =>
  Math.max(0, open > 0 ? Math.min(left, open) : left) || null

/** Says how much of a line's amount is more than is open on its sale; null if it is not. */
function beyondOpen({ sale_id, open_amount, amount }: Line, way: number): string | null {
  const beyond = (amount ?? 0) - Math.max(0, way * open_amount)
  return sale_id !== null && beyond > 0 ? `${money(beyond)} more than is open.` : null
}

type Props = {
  lines: readonly Line[]
  /** 1 if money came in, -1 if it went out. */
  way: number
  /** The part of the entry that no line has yet; negative if the lines are too much. */
  left: number
  onChoose: (key: number, sale_id: number | null, open_amount: number) => void
  onChange: (key: number, patch: Partial<Line>) => void
  onRemove: (key: number) => void
  onAdd: () => void
}

/** The sales that an entry pays, and how much of each. */
export function EntryLines({ lines, way, left, onChoose, onChange, onRemove, onAdd }: Props) {
  return (
    <>
      <ul className={classes['lines']} aria-label="Sales">
        {lines.map((line, n) => (
          <li key={line.key}>
            <RemoteSelect<SaleRow>
              area="sale"
              label={lines.length > 1 ? `Sale ${n + 1}` : 'Sale'}
              required
              clearable={false}
              labelOf={saleLabel}
              value={line.sale_id}
              onChange={(sale_id, sale) => onChoose(line.key, sale_id, sale?.open_amount ?? 0)}
            />
            <MoneyInput
              label={lines.length > 1 ? `Amount ${n + 1}` : 'Amount'}
              description={beyondOpen(line, way)}
              withAsterisk
              max={MAX_PAYMENT}
              value={line.amount}
              onChange={(amount, _, text) => onChange(line.key, { amount, isTyped: text.trim() !== '' })}
            />
            {lines.length > 1 && (
              <CloseButton
                className={classes['remove'] ?? ''}
                aria-label={`Remove sale ${n + 1}`}
                onClick={() => onRemove(line.key)}
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
          disabled={lines.length >= MAX_SALES_OF_ENTRY}
          onClick={onAdd}
        >
          Another sale
        </Button>
        <Text size="sm" c={left < 0 ? 'red' : 'dimmed'} aria-live="polite">
          {left === 0
            ? 'The whole amount is assigned.'
            : left > 0
              ? `${money(left)} remains to be booked.`
              : `${money(left)} too much.`}
        </Text>
      </Group>
    </>
  )
}
