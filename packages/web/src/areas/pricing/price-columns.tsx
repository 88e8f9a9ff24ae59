import { formatMoney, type Hundredths, toCurrencyUnits } from '@backstock/contract/money.ts'
import { MoneyInput } from '../../ui/fields/money-input.tsx'
import type { Column } from '../../ui/table/column.ts'
import { textColumn } from '../../ui/table/columns.tsx'
import { Money } from '../../ui/values/money.tsx'
import { withoutPrice } from '../../ui/values/without-price.ts'
import { isColumn, marginOf, type PriceRow } from './price-rows.ts'
import classes from './pricing.module.css'

/** Gets the price that a person has typed in a row. `wrong` is the typed text if it is no price. */
export type OnPrice = (id: number, price: Hundredths | null, wrong: string | null) => void
/** Called with a pasted column of prices. The first price belongs to this row. */
export type OnPaste = (id: number, text: string) => void

/** The product and grade of a group, as one text. */
export const named = ({ product, grade }: PriceRow) => (grade === null ? product : `${product}, ${grade}`)

/** The columns of the table. `net` says that the prices have no VAT in them; only then is a margin shown. */
export function priceColumns(net: boolean, onPrice: OnPrice, onPaste: OnPaste): Column<PriceRow>[] {
  return [
    textColumn('Product', ({ product }) => product, { phone: 'lead' }),
    textColumn('Grade', ({ grade }) => grade, { width: 76 }),
    {
      header: 'Items',
      align: 'right',
      width: 64,
      cell: ({ items }) => (
        <>
          {items.length.toLocaleString('en')}
          <span className={classes['onPhone']}> ×</span>
        </>
      ),
    },
    {
      header: 'Cost each',
      align: 'right',
      width: 120,
      cell: ({ eachCost }) => (
        <>
          <span className={classes['onPhone']}>Cost </span>
          <Money amount={eachCost} />
        </>
      ),
    },
    { header: 'Price now', align: 'right', width: 150, cell: (row) => <PriceNow row={row} /> },
    {
      header: 'New price',
      align: 'right',
      width: 150,
      cell: (row) => (
        <MoneyInput
          size="xs"
          className={classes['price'] ?? ''}
          aria-label={`New price of ${named(row)}`}
          data-price={row.id}
          placeholder={row.lowest !== null && row.lowest === row.highest ? toCurrencyUnits(row.lowest) : ''}
          value={row.price}
          wrong={row.wrong}
          onChange={(price, bad, text) => onPrice(row.id, price, bad ? text : null)}
          onFocus={(event) => event.currentTarget.select()}
          onPaste={(event) => {
            const text = event.clipboardData.getData('text/plain')
            if (!isColumn(text)) return
            event.preventDefault()
            onPaste(row.id, text)
          }}
        />
      ),
    },
    ...(net
      ? [
          {
            header: 'Margin',
            align: 'right' as const,
            width: 90,
            phone: 'hidden' as const,
            isDetail: true as const,
            cell: marginOf,
          },
        ]
      : []),
  ]
}

function PriceNow({ row: { lowest, highest, unpriced, items } }: { row: PriceRow }) {
  if (lowest === null || highest === null)
    return <span className={classes['quiet']}>{items.length === 1 ? 'no price' : withoutPrice(unpriced)}</span>
  return (
    <span className={classes['now']}>
      <span className={classes['onPhone']}>Now </span>
      {lowest === highest ? <Money amount={lowest} /> : `${formatMoney(lowest)} to ${formatMoney(highest)}`}
      {unpriced > 0 && <small>{withoutPrice(unpriced)}</small>}
    </span>
  )
}
