import { columnLabel } from '@backstock/contract/column-label.ts'
import { FUNCTIONAL_NAMES } from '@backstock/contract/device-function.ts'
import type { NewItem, PreviewRow } from '@backstock/contract/import-preview.ts'
import { CURRENCY, formatMoney } from '@backstock/contract/money.ts'
import { costOf } from '@backstock/contract/purchase-currency.ts'
import { PURCHASE_TREATMENT_NAMES } from '@backstock/contract/treatment.ts'
import { Text } from '@mantine/core'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import type { Column } from '../../../ui/table/column.ts'
import { textColumn } from '../../../ui/table/columns.tsx'
import classes from './preview.module.css'

type New = Pick<PreviewRow, 'product' | 'becomes' | 'note'>

/** The product of a new item, a mark if the import creates that product, and the note about its row. */
export const newProduct = ({ product, becomes, note }: New) => (
  <>
    <span title={product ?? undefined}>{product}</span>
    {becomes && becomes.new_in_category !== null && (
      <Text size="xs" c="dimmed">
        New product in {becomes.new_in_category}
      </Text>
    )}
    {note && (
      <span className={classes['rowNote']}>
        <IconAlertTriangle size={14} color="var(--mantine-color-orange-6)" />
        {note}
      </span>
    )}
  </>
)

/** The purchase price, with its value in EUR. */
const price = ({ becomes }: New) =>
  becomes && (
    <>
      {formatMoney(becomes.purchase_price)} {becomes.purchase_currency !== CURRENCY && becomes.purchase_currency}
      {becomes.fx_rate !== null && (
        <Text size="xs" c="dimmed">
          {formatMoney(costOf(becomes.purchase_price, becomes.fx_rate))} {CURRENCY}
        </Text>
      )}
    </>
  )

/** The fields of a new item and their texts; null if the item has no value. */
const WORDS = [
  ['imei', ({ imei }) => imei],
  ['imei2', ({ imei2 }) => imei2],
  ['serial_number', ({ serial_number }) => serial_number],
  ['backstock_id', ({ backstock_id }) => backstock_id],
  ['meid', ({ meid }) => meid],
  ['eid', ({ eid }) => eid],
  ['grade', ({ grade }) => grade],
  ['functional', ({ functional }) => functional && FUNCTIONAL_NAMES[functional]],
  ['battery_health', ({ battery_health }) => (battery_health === null ? null : `${battery_health}%`)],
  ['network_locked', ({ network_locked }) => (network_locked ? 'Yes' : 'No')],
  ['purchase_date', ({ purchase_date }) => purchase_date],
  ['purchase_vat', ({ purchase_treatment: one }) => (one === 'unknown' ? null : PURCHASE_TREATMENT_NAMES[one])],
  ['sales_price', ({ sales_price }) => (sales_price === null ? null : formatMoney(sales_price))],
  ['vat', ({ vat }) => vat],
  ['supplier', ({ supplier }) => supplier],
  ['location', ({ location }) => location],
] as const satisfies (readonly [string, (item: NewItem) => string | null])[]

const PRICE: Column<New> = { header: columnLabel('purchase_price'), align: 'right', cell: price }
const STATUS = textColumn<New>('Status', ({ becomes }) => becomes?.status ?? null, { phone: 'end' })

/**
 * The columns of new items with the values that will be stored: status, price, and each field that at least one of
 * these rows has.
 */
export function newItemColumns(rows: readonly New[]): Column<New>[] {
  const shown = WORDS.filter(([field, text]) => rows.some(({ becomes }) => becomes && isTold(becomes, field, text)))
  const columns = shown.map(([field, text]) =>
    textColumn<New>(columnLabel(field), ({ becomes }) => becomes && text(becomes)),
  )
  const identifying = shown.filter(([field]) => IDENTIFYING.has(field)).length
  return [...columns.slice(0, identifying), PRICE, STATUS, ...columns.slice(identifying)]
}
/**
 * Whether a column is worth showing for this item. Most phones are not network locked, so that column appears only if
 * one is.
 */
const isTold = (item: NewItem, field: string, text: (item: NewItem) => string | null) =>
  field === 'network_locked' ? item.network_locked : text(item) !== null
const IDENTIFYING: ReadonlySet<string> = new Set(['imei', 'imei2', 'serial_number', 'backstock_id', 'meid', 'eid'])
