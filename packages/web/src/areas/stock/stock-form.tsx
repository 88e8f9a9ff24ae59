import type { BatchRow } from '@backstock/contract/batch.ts'
import { FUNCTIONAL, FUNCTIONAL_NAMES } from '@backstock/contract/device-function.ts'
import { NEEDS_IDENTIFIER } from '@backstock/contract/imei.ts'
import { CURRENCY } from '@backstock/contract/money.ts'
import type { StockItem } from '@backstock/contract/stock.ts'
import { allowedStockStatuses, isSellable, NEW_STOCK_STATUSES } from '@backstock/contract/stock-status.ts'
import { Divider, Stack, Switch, Textarea } from '@mantine/core'
import { useState } from 'react'
import { createNamed } from '../../api/create-named.ts'
import { isAdmin, useMe } from '../../api/session.ts'
import type { RecordArea, RecordFormOf } from '../../crud/area.ts'
import { useCreateDialog } from '../../crud/use-create-dialog.tsx'
import { DateField } from '../../ui/fields/date-field.tsx'
import { FieldGrid } from '../../ui/fields/field-grid.tsx'
import { MoneyInput } from '../../ui/fields/money-input.tsx'
import { RemoteSelect } from '../../ui/fields/remote-select.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { PURCHASE_CHOICES } from '../../widgets/purchase-choices.ts'
import { product } from '../product.tsx'
import { vat } from '../vat/vat.tsx'
import { ProposedProductLine, typedTac } from './proposed-product.tsx'
import { PurchasePrice } from './purchase-price.tsx'
import type { StockValues } from './stock-values.ts'

/** How a stock item's form is filled in and saved. The screens add the fields. */
export const stockRecord: Omit<RecordArea<StockItem, StockValues>, 'fields'> = {
  area: 'stock',
  title: 'Stock',
  alsoChanges: ['batch', 'basket', 'sale'],
  values: (row) => ({
    actual_product_id: row?.actual_product_id ?? null,
    expected_product_id: row?.expected_product_id ?? null,
    status: row?.status ?? NEW_STOCK_STATUSES[0],
    supplier_id: row?.supplier_id ?? null,
    batch_id: row?.batch_id ?? null,
    vat_type_id: row?.vat_type_id ?? null,
    purchase_treatment: row?.purchase_treatment ?? '',
    imei: row?.imei ?? '',
    serial_number: row?.serial_number ?? '',
    backstock_id: row?.backstock_id ?? '',
    purchase_price: row?.purchase_price ?? null,
    purchase_currency: row?.purchase_currency ?? CURRENCY,
    fx_rate: row?.fx_rate?.toString() ?? '',
    sales_price: row?.sales_price ?? null,
    purchase_date: row?.purchase_date ?? null,
    network_locked: row?.network_locked ?? false,
    engineer_notes: row?.engineer_notes ?? '',
    grade_id: row?.grade_id ?? null,
    functional: row?.functional ?? '',
    battery_health: row?.battery_health?.toString() ?? '',
    imei2: row?.imei2 ?? '',
    meid: row?.meid ?? '',
    eid: row?.eid ?? '',
    location: row?.location ?? '',
  }),
  input: ({ purchase_treatment, ...values }) => ({ ...values, ...(purchase_treatment && { purchase_treatment }) }),
}

const FUNCTIONAL_CHOICES = [
  { value: '', label: 'Unknown' },
  ...FUNCTIONAL.map((value) => ({ value, label: FUNCTIONAL_NAMES[value] })),
]
const AS_SUPPLIER = { value: '', label: 'Same as supplier' }

/**
 * The hint under the batch field that says why the item can neither join nor leave a batch; null if it can. If the
 * status changed after somebody chose a batch, the batch can still be removed.
 */
function batchHint(row: StockItem | null, { status, batch_id }: StockValues): string | null {
  if (row?.is_batch_locked) return 'The batch is locked: the item cannot leave it.'
  return isSellable(status) || row?.batch_id || batch_id ? null : 'Only In Stock items can join a batch.'
}

/** `settled` means that a sale or a return has settled fields of the item, which are disabled. */
type Props = { form: RecordFormOf<StockValues>; row: StockItem | null }
type PartProps = Props & { settled: boolean }

/** The fields of a stock item. */
export function StockFields({ form, row }: Props) {
  const settled = row?.status === 'Sold' || row?.status === 'Returned to Supplier'
  return (
    <Stack gap="md">
      <DeviceFields form={form} row={row} settled={settled} />
      <Divider label="Condition" labelPosition="left" />
      <ConditionFields form={form} />
      <Divider label="More information" labelPosition="left" />
      <MoreFields form={form} settled={settled} />
      <Textarea
        label="Engineer notes"
        maxLength={10_000}
        styles={{ input: { height: 300 } }}
        {...form.getInputProps('engineer_notes')}
      />
    </Stack>
  )
}

/** The device, its origin and its place: all that tells it from others. */
function DeviceFields({ form, row, settled }: PartProps) {
  const [isAsked, setAsked] = useState(false)
  return (
    <FieldGrid>
      <ProductField form={form} row={row} settled={settled} isAsked={isAsked} />
      <PlaceFields form={form} row={row} settled={settled} />
      <IdentifierFields form={form} row={row} settled={settled} onAsk={() => setAsked(true)} />
    </FieldGrid>
  )
}

/** The product. For a new item, the form proposes it by the IMEI once `isAsked`. */
function ProductField({ form, row, settled, isAsked }: PartProps & { isAsked: boolean }) {
  const newProduct = useCreateDialog(product, (model) => ({ model }))
  return (
    <div>
      {newProduct.dialog}
      <RemoteSelect
        area="product"
        label="Product"
        required
        create={newProduct.create}
        disabled={settled}
        description={settled && `Cannot be changed: the item is ${row?.status}.`}
        {...form.getInputProps('actual_product_id')}
      />
      {!row && (
        <ProposedProductLine
          typed={form.values.imei}
          chosen={form.values.actual_product_id}
          isAsked={isAsked}
          onUse={(id) => form.setFieldValue('actual_product_id', id)}
        />
      )}
    </div>
  )
}

/** The status and batch of the item, and how it was bought. */
function PlaceFields({ form, row, settled }: PartProps) {
  const statuses = row ? allowedStockStatuses(row.status) : NEW_STOCK_STATUSES
  const hint = batchHint(row, form.values)
  const me = useMe()
  const newVat = useCreateDialog(vat, (name) => ({ name }))
  return (
    <>
      {newVat.dialog}
      <Select
        label="Status"
        withAsterisk
        data={[...statuses]}
        disabled={statuses.length === 1}
        {...form.getInputProps('status')}
      />
      <RemoteSelect
        area="supplier"
        label="Supplier"
        create={createNamed('supplier')}
        {...form.getInputProps('supplier_id')}
      />
      <RemoteSelect<BatchRow>
        area="batch"
        label="Batch"
        optionDisabled={(batch) => batch.is_locked}
        labelOf={(batch) => (batch.is_locked ? `${batch.name} (locked)` : batch.name)}
        disabled={hint !== null}
        description={hint}
        {...form.getInputProps('batch_id')}
      />
      <RemoteSelect
        area="vat"
        label="VAT"
        disabled={settled}
        create={isAdmin(me) && newVat.create}
        {...form.getInputProps('vat_type_id')}
      />
      <Select
        label="Bought under"
        data={row ? PURCHASE_CHOICES : [AS_SUPPLIER, ...PURCHASE_CHOICES]}
        disabled={settled}
        {...form.getInputProps('purchase_treatment')}
      />
    </>
  )
}

/** The numbers on the device. `onAsk` is called if Enter in the IMEI field asks for the proposed product. */
function IdentifierFields({ form, row, settled, onAsk }: PartProps & { onAsk: () => void }) {
  const { actual_product_id: chosen, imei } = form.values
  const mayPropose = row === null && chosen === null
  return (
    <>
      <TextField
        label="IMEI"
        description={!settled && NEEDS_IDENTIFIER}
        inputMode="numeric"
        autoComplete="off"
        maxLength={64}
        disabled={settled}
        onKeyDown={(event) => {
          // A scanner ends an IMEI with Enter. If the item has no product yet, Enter asks for the proposed one and
          // does not send the form.
          const isEnter = event.key === 'Enter' && !event.ctrlKey && !event.metaKey
          if (!isEnter || !mayPropose || !typedTac(imei)) return
          event.preventDefault()
          onAsk()
        }}
        {...form.getInputProps('imei')}
      />
      <TextField
        label="IMEI 2"
        inputMode="numeric"
        autoComplete="off"
        maxLength={64}
        disabled={settled}
        {...form.getInputProps('imei2')}
      />
      <TextField
        label="Serial number"
        autoComplete="off"
        maxLength={255}
        disabled={settled}
        {...form.getInputProps('serial_number')}
      />
      <TextField
        label="Backstock ID"
        autoComplete="off"
        maxLength={255}
        disabled={settled}
        {...form.getInputProps('backstock_id')}
      />
    </>
  )
}

/** The state of the device, and its location. */
function ConditionFields({ form }: Pick<Props, 'form'>) {
  const me = useMe()
  return (
    <FieldGrid>
      <RemoteSelect
        area="grade"
        label="Grade"
        create={isAdmin(me) && createNamed('grade')}
        {...form.getInputProps('grade_id')}
      />
      <Select label="Function" data={FUNCTIONAL_CHOICES} {...form.getInputProps('functional')} />
      <TextField
        label="Battery health"
        inputMode="numeric"
        autoComplete="off"
        maxLength={3}
        rightSection="%"
        {...form.getInputProps('battery_health')}
      />
      <TextField label="Location" autoComplete="off" maxLength={255} {...form.getInputProps('location')} />
    </FieldGrid>
  )
}

/** Prices, the purchase, and numbers that few devices have. */
function MoreFields({ form, settled }: Pick<PartProps, 'form' | 'settled'>) {
  const newProduct = useCreateDialog(product, (model) => ({ model }))
  return (
    <FieldGrid>
      {newProduct.dialog}
      <PurchasePrice form={form} disabled={settled} />
      <MoneyInput label="Sales price" {...form.getInputProps('sales_price')} />
      <DateField label="Purchase date" dateStyle="yyyy-mm-dd" {...form.getInputProps('purchase_date')} />
      <RemoteSelect
        area="product"
        label="Expected product"
        create={newProduct.create}
        description="Only if another product was ordered."
        {...form.getInputProps('expected_product_id')}
      />
      <TextField label="MEID" autoComplete="off" maxLength={64} disabled={settled} {...form.getInputProps('meid')} />
      <TextField
        label="EID"
        inputMode="numeric"
        autoComplete="off"
        maxLength={64}
        disabled={settled}
        {...form.getInputProps('eid')}
      />
      <Switch label="Network locked" {...form.getInputProps('network_locked', { type: 'checkbox' })} />
    </FieldGrid>
  )
}
