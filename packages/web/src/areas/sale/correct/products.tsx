import type { FieldErrors } from '@backstock/contract/answer.ts'
import { TREATMENT_NAMES, type Treatment } from '@backstock/contract/treatment.ts'
import { formatRate } from '@backstock/contract/vat-rate.ts'
import { Alert, NativeSelect, Text } from '@mantine/core'
import { useContext, useMemo, useState } from 'react'
import { MoneyInput } from '../../../ui/fields/money-input.tsx'
import { Panel } from '../../../ui/layout/panel.tsx'
import type { Column } from '../../../ui/table/column.ts'
import { idColumn, moneyColumn } from '../../../ui/table/columns.tsx'
import { DataTable } from '../../../ui/table/data-table.tsx'
import { RowPages, rowsOf } from '../../../ui/table/paged-rows.tsx'
import { OnePrice } from '../draft/products.tsx'
import { type DraftTax, refusedLines } from '../draft/tax.ts'
import { LineTaxes, VatChoice, VatTrouble } from '../draft/vat.tsx'
import { soldProductColumn } from '../record/products.tsx'
import classes from '../sale.module.css'
import { usePriceColumn } from '../use-price-column.ts'
import corrections from './correct.module.css'
import { type CorrectAction, type CorrectLine, correctChoices, taxBefore, wantedOfAll } from './lines.ts'

type Change = (action: CorrectAction) => void
type Props = {
  lines: readonly CorrectLine[]
  tax: DraftTax
  errors: FieldErrors
  /** True if prices that are missing or not valid are marked. */
  wanting: boolean
  includeVat: boolean
  onChange: Change
}

/**
 * The items that are still on the sale, with inputs for their price and VAT. `onChange` must be the same function at
 * each render, because the columns are memoised by it.
 */
export function CorrectProducts({ lines, tax, errors, wanting, includeVat, onChange }: Props) {
  const [wantedPage, setPage] = useState(1)
  const { rows, page, pages } = rowsOf(lines, wantedPage)
  const columns = useMemo(() => correctColumns(includeVat, wanting, onChange), [includeVat, wanting, onChange])
  const prices = usePriceColumn({ page, pages, onPage: setPage })
  const choices = correctChoices(tax)
  return (
    <>
      {errors['items'] && (
        <Alert color="red" role="alert" mb="md">
          {errors['items']}
        </Alert>
      )}
      <VatTrouble title="The sale cannot be corrected like this" refused={refusedLines(lines, tax)} tax={tax} />
      <Panel p={0}>
        <div className={classes['tools']}>
          <OnePrice onApply={(price) => onChange({ type: 'price for all', price })} />
          {choices.length > 1 && (
            <NativeSelect
              label="VAT of all items that allow it"
              value=""
              data={[
                { value: '', label: 'Choose…', disabled: true },
                { value: 'usual', label: 'Undo my choices here' },
                ...choices.map((value) => ({ value, label: TREATMENT_NAMES[value] })),
              ]}
              onChange={(event) => {
                const treatment = choices.find((one) => one === event.currentTarget.value)
                onChange({ type: 'treatments', wanted: wantedOfAll(treatment, tax) })
              }}
            />
          )}
          <Text size="xs" c="dimmed" visibleFrom="md" className={classes['hint'] ?? ''}>
            Tab or Enter goes down the prices.
          </Text>
        </div>
        <div {...prices}>
          <LineTaxes value={tax.lines}>
            <DataTable label="Items to correct" columns={columns} rows={rows} />
          </LineTaxes>
        </div>
        <RowPages page={page} pages={pages} total={lines.length} onPage={setPage} />
      </Panel>
    </>
  )
}

function correctColumns(includeVat: boolean, wanting: boolean, change: Change): Column<CorrectLine>[] {
  const prices = `(${includeVat ? 'incl.' : 'excl.'} VAT)`
  return [
    idColumn<CorrectLine>('stock', { phone: 'below' }),
    soldProductColumn<CorrectLine>(),
    { header: 'VAT', align: 'right', width: 136, cell: (line) => <VatCell line={line} change={change} /> },
    moneyColumn(`Sold for ${prices}`, (line) => line.before, { phone: 'end' }),
    {
      header: `Price ${prices}`,
      align: 'right',
      width: 170,
      phone: 'field',
      phoneLabel: 'Price',
      cell: (line) => (
        <MoneyInput
          size="xs"
          className={classes['price'] ?? ''}
          aria-label={`Price of #${line.id}`}
          data-price={line.id}
          value={line.price}
          error={wanting && line.price === null && line.wrong === null && 'A price is needed.'}
          wrong={line.wrong}
          onChange={(price, bad, text) => change({ type: 'price', id: line.id, price, wrong: bad ? text : null })}
          onFocus={(event) => event.currentTarget.select()}
        />
      ),
    },
  ]
}

function VatCell({ line, change }: { line: CorrectLine; change: Change }) {
  const tax = useContext(LineTaxes).get(line.id)
  if (!tax) return null
  const before = taxBefore(line, tax)
  return (
    <>
      <VatChoice
        id={line.id}
        tax={tax}
        onChoose={(treatment) => {
          const wanted = treatment === tax.byRules.treatment ? undefined : treatment
          change({ type: 'treatments', wanted: new Map([[line.id, wanted]]) })
        }}
      />
      {before && (
        <span className={corrections['was']} title={tax.taken.why}>
          {nameOf(before)} → {nameOf(tax.taken)}
        </span>
      )}
    </>
  )
}

const nameOf = ({ treatment, rate }: { treatment: Treatment; rate: number }) =>
  treatment === 'standard' ? `${formatRate(rate)}%` : TREATMENT_NAMES[treatment]
