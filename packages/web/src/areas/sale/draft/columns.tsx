import { toCurrencyUnits } from '@backstock/contract/money.ts'
import { isSellable } from '@backstock/contract/stock-status.ts'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { MoneyInput } from '../../../ui/fields/money-input.tsx'
import type { Column } from '../../../ui/table/column.ts'
import { moneyColumn } from '../../../ui/table/columns.tsx'
import { stockIdColumn, stockProductColumn, stockStatusColumn } from '../../stock/stock-columns.tsx'
import classes from '../sale.module.css'
import { type DraftAction, type DraftLine, priceOf } from './lines.ts'
import { VatCell } from './vat.tsx'

// touch.css makes buttons with Mantine's classes easier to touch on a phone.
const REMOVE = `mantine-focus-auto mantine-active mantine-ActionIcon-root ${classes['remove']}`

type Change = (action: DraftAction) => void

/** The columns of a sale that is not stored yet. `wanting` marks the lines whose price is missing or not valid. */
export function draftColumns(includeVat: boolean, wanting: boolean, change: Change): Column<DraftLine>[] {
  return [
    stockIdColumn(),
    stockProductColumn(),
    { ...stockStatusColumn<DraftLine>(), phone: 'below' },
    { header: 'VAT', align: 'right', width: 136, cell: (line) => <VatCell line={line} change={change} /> },
    moneyColumn('Purchase Price', (line) => line.cost),
    {
      header: `Sales Price (${includeVat ? 'incl.' : 'excl.'} VAT)`,
      align: 'right',
      width: 170,
      phone: 'field',
      phoneLabel: 'Sales Price',
      cell: (line) => <PriceCell line={line} wanting={wanting} change={change} />,
    },
    {
      header: 'Remove',
      align: 'right',
      isAction: true,
      width: 72,
      phone: 'end',
      cell: (line) => (
        <button
          type="button"
          className={REMOVE}
          aria-label={`Remove #${line.id} from the sale`}
          onClick={() => change({ type: 'remove', ids: [line.id] })}
        >
          <IconX size={16} />
        </button>
      ),
    },
  ]
}

function PriceCell({ line, wanting, change }: { line: DraftLine; wanting: boolean; change: Change }) {
  if (!isSellable(line.status)) return null
  return (
    <MoneyInput
      size="xs"
      className={classes['price'] ?? ''}
      aria-label={`Sales price of #${line.id}`}
      data-price={line.id}
      placeholder={line.fallback === null ? '' : toCurrencyUnits(line.fallback)}
      value={line.price}
      error={wanting && priceOf(line) === null}
      wrong={line.wrong}
      onChange={(price, bad, text) => change({ type: 'price', id: line.id, price, wrong: bad ? text : null })}
      onFocus={(event) => event.currentTarget.select()}
    />
  )
}
