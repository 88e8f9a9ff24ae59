import type { FieldErrors } from '@backstock/contract/answer.ts'
import type { Hundredths } from '@backstock/contract/money.ts'
import { isSellable, NOT_SELLABLE } from '@backstock/contract/stock-status.ts'
import { Alert, Anchor, Button, SegmentedControl, Text } from '@mantine/core'
import { Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { lazyPart } from '../../../api/lazy-part.ts'
import { MoneyInput } from '../../../ui/fields/money-input.tsx'
import { FocusBack } from '../../../ui/layout/focus-back.tsx'
import { Panel } from '../../../ui/layout/panel.tsx'
import { DataTable } from '../../../ui/table/data-table.tsx'
import { RowPages, rowsOf } from '../../../ui/table/paged-rows.tsx'
import { TextLink } from '../../../ui/values/link.tsx'
import { clearSaleItems } from '../../basket/storage-data.ts'
import classes from '../sale.module.css'
import { usePriceColumn } from '../use-price-column.ts'
import { draftColumns } from './columns.tsx'
import { type Draft, type DraftAction, type DraftLine, priceOf, sellable } from './lines.ts'
import { DraftPickList } from './pick-list.tsx'
import type { DraftTax } from './tax.ts'
import { LineTaxes, VatTrouble } from './vat.tsx'

const PriceDialog = lazyPart(async () => ({ default: (await import('../../pricing/dialogs.ts')).PriceDialog }))

type Change = (action: DraftAction) => void
type Props = {
  draft: Draft
  tax: DraftTax
  /** Why the server would refuse the VAT of lines, a sentence for each. */
  refused: readonly string[]
  errors: FieldErrors
  includeVat: boolean
  onIncludeVat: (includeVat: boolean) => void
  onChange: Change
}

const lockedReason = (line: DraftLine) => (isSellable(line.status) ? null : NOT_SELLABLE)

/** The items of a new sale, with their prices. */
export function DraftProducts({ draft, tax, refused, errors, includeVat, onIncludeVat, onChange }: Props) {
  const [wantedPage, setPage] = useState(1)
  const [pricing, setPricing] = useState(false)
  const { rows, page, pages } = rowsOf(draft.lines, wantedPage)
  const latest = useRef(onChange)
  useEffect(() => {
    latest.current = onChange
  })
  const priceError = errors['sale_price[]']
  const columns = useMemo(
    () => draftColumns(includeVat, priceError !== undefined, (action) => latest.current(action)),
    [includeVat, priceError],
  )
  const prices = usePriceColumn({
    page,
    pages,
    onPage: setPage,
    onRemove: (id) => onChange({ type: 'remove', ids: [id] }),
  })

  const first = prices.ref
  // People come here to type prices, so the first price gets the focus. But on a touch screen the focus would bring up
  // the keyboard.
  useEffect(() => {
    if (!matchMedia('(hover: hover)').matches) return
    first.current?.querySelector<HTMLElement>('input[data-price]')?.focus({ preventScroll: true })
  }, [first])

  if (draft.lines.length === 0) return <Nothing />
  return (
    <>
      {[errors['stock_items'], priceError].map(
        (text) =>
          text && (
            <Alert key={text} color="red" role="alert" mb="md">
              {text}
            </Alert>
          ),
      )}
      <VatTrouble title="The sale cannot be made like this" refused={refused} tax={tax} />
      <LeftOut lines={draft.lines} onRemove={(ids) => onChange({ type: 'remove', ids })} />
      <Panel p={0}>
        <Tools
          lines={draft.lines}
          includeVat={includeVat}
          onIncludeVat={onIncludeVat}
          onPriceForAll={(price) => onChange({ type: 'price for all', price })}
          onByGroup={() => setPricing(true)}
        />
        <div {...prices}>
          <LineTaxes value={tax.lines}>
            <DataTable label="Items of the sale" columns={columns} rows={rows} lockedReason={lockedReason} />
          </LineTaxes>
        </div>
        <RowPages page={page} pages={pages} total={draft.lines.length} onPage={setPage} />
      </Panel>
      {pricing && (
        <Suspense>
          <FocusBack />
          <PriceDialog
            items={sellable(draft.lines)}
            priceOf={(line) => priceOf(line as DraftLine)}
            net={!includeVat}
            onApply={(groups) => {
              const prices = new Map(groups.flatMap(({ items, set }) => items.map((id) => [id, set] as const)))
              onChange({ type: 'prices', prices })
              return true
            }}
            onClose={() => setPricing(false)}
          />
        </Suspense>
      )}
    </>
  )
}

/** Says how many items cannot be sold, and removes them. */
function LeftOut({ lines, onRemove }: { lines: readonly DraftLine[]; onRemove: (ids: number[]) => void }) {
  const locked = lines.filter((line) => !isSellable(line.status))
  if (locked.length === 0) return null
  return (
    <Alert color="orange" mb="md">
      <Text size="sm">
        {locked.length === 1 ? '1 item' : `${locked.length.toLocaleString('en')} items`} cannot be sold and will be left
        out. {NOT_SELLABLE}.{' '}
        <Anchor
          component="button"
          type="button"
          size="sm"
          c="inherit"
          underline="always"
          onClick={() => onRemove(locked.map((line) => line.id))}
        >
          Remove {locked.length === 1 ? 'it' : 'them'} from the list
        </Anchor>
      </Text>
    </Alert>
  )
}

type ToolProps = Pick<Props, 'includeVat' | 'onIncludeVat'> & {
  lines: readonly DraftLine[]
  onPriceForAll: (price: Hundredths) => void
  onByGroup: () => void
}

/** The controls above the items: prices for many of them, a pick list, and whether prices include VAT. */
function Tools({ lines, includeVat, onIncludeVat, onPriceForAll, onByGroup }: ToolProps) {
  return (
    <div className={classes['tools']}>
      <OnePrice onApply={onPriceForAll} />
      <Button variant="default" onClick={onByGroup}>
        Price by group
      </Button>
      <DraftPickList lines={lines} />
      <div>
        <Text size="sm" fw={500} id="include-vat" mb={2}>
          Prices
        </Text>
        <SegmentedControl
          aria-labelledby="include-vat"
          value={String(includeVat)}
          onChange={(value) => onIncludeVat(value === 'true')}
          data={[
            { value: 'false', label: 'excl. VAT' },
            { value: 'true', label: 'incl. VAT' },
          ]}
        />
      </div>
      <Text size="xs" c="dimmed" visibleFrom="md" className={classes['hint'] ?? ''}>
        Tab or Enter goes down the prices, Ctrl+Delete removes a line.
      </Text>
    </div>
  )
}

/** A field that sets one price for all items. */
export function OnePrice({ onApply }: { onApply: (price: Hundredths) => void }) {
  const [price, setPrice] = useState<Hundredths | null>(null)
  const apply = () => {
    if (price !== null) onApply(price)
  }
  return (
    <div className={classes['onePrice']}>
      <MoneyInput
        label="One price for all"
        style={{ width: '9.375rem' }}
        value={price}
        onChange={setPrice}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return
          event.preventDefault()
          apply()
        }}
      />
      <Button variant="default" disabled={price === null} onClick={apply}>
        Apply
      </Button>
    </div>
  )
}

/**
 * Takes the place of the lines when all were removed. Its links also forget the items in `storageData`, which would come
 * back otherwise.
 */
function Nothing() {
  return (
    <Panel p="xl">
      <Text ta="center" c="dimmed">
        There is nothing to sell yet. Tick items in the{' '}
        <TextLink to="/admin/stock" underline="always" onClick={clearSaleItems}>
          stock list
        </TextLink>
        , or paste their IMEIs into{' '}
        <TextLink to="/admin/quick-order" underline="always" onClick={clearSaleItems}>
          Quick Order
        </TextLink>
        .
      </Text>
    </Panel>
  )
}
