import type { FieldErrors } from '@backstock/contract/answer.ts'
import type { Sale } from '@backstock/contract/sale.ts'
import { EXCEL_FROM_ITEMS } from '@backstock/contract/sale-status.ts'
import { Alert, List, Tabs, Text } from '@mantine/core'
import IconAlertCircle from '@tabler/icons-react/dist/esm/icons/IconAlertCircle.mjs'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useDeferredValue, useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from 'react'
import { ApiError } from '../../../api/error.ts'
import { queryClient } from '../../../api/query-client.ts'
import { find, invalidate, record } from '../../../api/reads.ts'
import { showToast } from '../../../api/toast.ts'
import { useFoundDraft, useKeepDraft } from '../../../ui/feedback/kept-draft.ts'
import { useLeaveGuard } from '../../../ui/feedback/leave-guard.ts'
import { Panel } from '../../../ui/layout/panel.tsx'
import { clearSaleItems } from '../../basket/storage-data.ts'
import { Figures } from '../figures.tsx'
import classes from '../sale.module.css'
import { DraftBar } from './bar.tsx'
import { type DraftCustomer, DraftCustomerPanel, NEW_CUSTOMER_FIELDS, NO_CUSTOMER } from './customer.tsx'
import { draftFigures } from './figures.ts'
import type { SaleSource } from './items-source.ts'
import { changeDraft, type DraftAction, EMPTY_DRAFT, type KeptLines, keptLines, priceOf, sellable } from './lines.ts'
import { DEFAULT_OPTIONS, type DraftOptions, DraftOptionsPanel } from './options.tsx'
import { DraftProducts } from './products.tsx'
import { draftSender } from './send.ts'
import { draftTax, refusedLines } from './tax.ts'
import { useInvoiceLacks } from './use-invoice-lacks.ts'
import { useDraftTax } from './use-tax.ts'
import { DraftVat } from './vat.tsx'

const ON_PRODUCTS = ['stock_items', 'sale_price[]']
const ON_SUMMARY = ['customer', 'reference_number', 'invoice_lang', ...NEW_CUSTOMER_FIELDS.map((field) => field.name)]

const among = (names: readonly string[], errors: FieldErrors) => names.some((name) => name in errors)
/** The icon of a tab that has an error. */
const WRONG = <IconAlertCircle size={16} color="var(--mantine-color-error)" role="img" aria-label="has errors" />

/** The parts of a new sale that the browser keeps as a draft. */
type KeptSale = {
  items: number[]
  batch: number | null
  lines: KeptLines
  customer: DraftCustomer
  options: DraftOptions
}

/** The kept draft, if it has at least one item of this sale. */
function useFoundSale({ items, batch }: SaleSource): KeptSale | null {
  const found = useFoundDraft<KeptSale>('sale')
  const [isOfThese] = useState(
    () => found?.batch === (batch?.id ?? null) && items.some(({ id }) => found.items.includes(id)),
  )
  return isOfThese ? found : null
}

type Props = {
  source: SaleSource
  /**
   * Called with null if the draft is not kept in the browser. `isFound` says that the draft comes from an earlier
   * visit.
   */
  onKept: (kept: { isFound: boolean; discard: () => void } | null) => void
  onDiscard: () => void
}

/** The form of a new sale. Typed values survive a failed request, and leaving the screen. */
export function DraftForm({ source, onKept, onDiscard }: Props) {
  const { items, vats, batch } = source
  const navigate = useNavigate()
  const found = useFoundSale(source)
  const [draft, change] = useReducer(changeDraft, EMPTY_DRAFT, (empty) => {
    const begun = changeDraft(empty, { type: 'items', items })
    return found ? changeDraft(begun, { type: 'restore', kept: found.lines }) : begun
  })
  const [customer, setCustomer] = useState<DraftCustomer>({ ...NO_CUSTOMER, ...found?.customer })
  const [options, setOptions] = useState<DraftOptions>({ ...DEFAULT_OPTIONS, ...found?.options })
  const [tab, setTab] = useState<string | null>('products')
  const [errors, setErrors] = useState<FieldErrors>({})
  const [message, setMessage] = useState<string | null>(null)
  const [saving, setSaving] = useState(false)
  const [touched, setTouched] = useState(found !== null)
  const element = useRef<HTMLDivElement>(null)
  // If the shop has no customers yet, the form starts with a new one.
  const { data: known } = useQuery(find('customer', { per_page: 1 }))
  useEffect(() => {
    if (known?.total === 0) setCustomer((now) => ({ ...now, isNew: true }))
  }, [known])
  const [send] = useState(draftSender)
  const kept = useMemo<KeptSale | null>(() => {
    if (!touched) return null
    return {
      items: items.map(({ id }) => id),
      batch: batch?.id ?? null,
      lines: keptLines(draft),
      customer,
      options,
    }
  }, [touched, items, batch, draft, customer, options])
  const { isLost, drop } = useKeepDraft('sale', kept)
  const allowLeave = useLeaveGuard(touched && isLost)
  const isKept = touched && !isLost
  const discard = useRef(() => {})
  discard.current = () => {
    drop()
    onDiscard()
  }
  useEffect(
    () => onKept(isKept ? { isFound: found !== null, discard: () => discard.current() } : null),
    [isKept, found, onKept],
  )

  useLayoutEffect(() => change({ type: 'items', items }), [items])

  const [focusErrors, setFocusErrors] = useState(0)
  useEffect(() => {
    if (focusErrors === 0) return
    const panel = element.current?.querySelector('[role="tabpanel"]:not([style*="none"])')
    const wrong = panel?.querySelector<HTMLElement>('[aria-invalid="true"]')
    // A message without a field stands above all fields, which may be out of sight.
    const alert = element.current?.querySelector<HTMLElement>('[role="alert"]')
    if (wrong) wrong.focus()
    else alert?.scrollIntoView({ block: 'center' })
  }, [focusErrors])

  const selling = useMemo(() => sellable(draft.lines), [draft.lines])
  const excel = options.create_excel ?? selling.length > EXCEL_FROM_ITEMS
  const shown = useDeferredValue(selling)
  const { includeVat } = options
  const deciding = useDraftTax(items, vats, customer)
  const tax = useMemo(() => draftTax(shown, deciding, includeVat), [shown, deciding, includeVat])
  const figures = useMemo(() => draftFigures(shown, tax, includeVat), [shown, tax, includeVat])
  const lacks = useInvoiceLacks(customer, {
    lines: shown,
    tax,
    vats,
    wanted: options.create_invoice,
    reference_number: options.reference_number,
  })
  const refused = useMemo(() => refusedLines(shown, tax), [shown, tax])

  const touch = (...names: string[]) => {
    setTouched(true)
    setErrors((now) => Object.fromEntries(Object.entries(now).filter(([name]) => !names.includes(name))))
  }

  const changeLines = (action: DraftAction) => {
    change(action)
    touch(...ON_PRODUCTS)
  }

  const refuse = (found: FieldErrors, text: string) => {
    const names = Object.keys(found)
    const elsewhere = names.filter((name) => !ON_PRODUCTS.includes(name) && !ON_SUMMARY.includes(name))
    setErrors(found)
    setMessage(names.length === 0 || elsewhere.length > 0 ? text : null)
    setTab((now) => (among(ON_SUMMARY, found) ? 'summary' : among(ON_PRODUCTS, found) ? 'products' : now))
    setFocusErrors((count) => count + 1)
  }

  const create = async () => {
    if (saving || selling.length === 0) return
    setErrors({})
    setMessage(null)
    const bad = selling.filter((line) => line.bad)
    if (bad.length > 0) {
      const items = bad.map((line) => `#${line.id}`).join(', ')
      refuse({ 'sale_price[]': `Must be a price such as 249.90: item ${items}.` }, '')
      return
    }
    const { includeVat: _, reference_number, delete_batch, ...others } = options
    const totals = draftFigures(selling, draftTax(selling, deciding, includeVat), includeVat)
    const fields = {
      stock_items: selling.map((line) => ({
        id: line.id,
        sales_price: priceOf(line),
        ...(line.wanted && { vat_treatment: line.wanted }),
      })),
      ...(customer.isNew ? customer.typed : { customer_id: customer.id }),
      total_purchase_price: totals.purchase,
      total_sales_price: totals.net,
      total_sales_price_vat: totals.gross,
      batch_id: batch?.id ?? null,
      salesPrice: draft.onePrice,
      includeVat: String(includeVat),
      reference_number,
      ...others,
      create_excel: excel,
      delete_batch: batch !== null && !batch.is_locked && delete_batch,
    }
    setSaving(true)
    try {
      const made = await send(fields)
      drop()
      clearSaleItems()
      queryClient.setQueryData(record<Sale>('sale', made.id).queryKey, made)
      allowLeave()
      await navigate({ to: `/admin/sale/edit/${made.id}`, search: { tab: 'summary' } as never })
      void invalidate('sale', 'stock', 'basket', 'batch', 'customer')
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (!element.current) showToast({ type: 'error', title: 'The sale was not made', message: error.message })
      // Somebody else may have sold an item or changed its VAT meanwhile. The data is read again, and the item's line
      // shows that.
      if (error.status === 409 || error.errors['stock_items']) await invalidate('stock', 'batch', 'vat', 'sale')
      refuse(error.errors, error.message)
    } finally {
      setSaving(false)
    }
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Ctrl+Enter in any field inside makes the sale
    <div
      ref={element}
      onKeyDown={(event) => {
        const here = element.current?.contains(event.target as Node)
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || !here) return
        event.preventDefault()
        void create()
      }}
    >
      {message && <Trouble message={message} errors={errors} />}
      <Tabs value={tab} onChange={setTab} keepMountedMode="display-none">
        <Tabs.List mb="md">
          <Tabs.Tab value="products" rightSection={among(ON_PRODUCTS, errors) && WRONG}>
            Products ({draft.lines.length.toLocaleString('en')})
          </Tabs.Tab>
          <Tabs.Tab value="summary" rightSection={among(ON_SUMMARY, errors) && WRONG}>
            Summary
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="products">
          <DraftProducts
            draft={draft}
            tax={tax}
            refused={refused}
            errors={errors}
            includeVat={includeVat}
            onIncludeVat={(includeVat) => {
              touch()
              setOptions({ ...options, includeVat })
            }}
            onChange={changeLines}
          />
        </Tabs.Panel>
        <Tabs.Panel value="summary">
          <div className={classes['columns']}>
            <DraftCustomerPanel
              customer={customer}
              lacks={lacks}
              home={deciding.facts?.seller.country_code ?? null}
              errors={errors}
              onChange={(next, ...fields) => {
                touch('customer', ...fields)
                setCustomer(next)
              }}
            />
            <DraftOptionsPanel
              options={options}
              excel={excel}
              usualLang={deciding.usualLang}
              lacks={lacks}
              batch={batch}
              errors={errors}
              onChange={(patch) => {
                touch(...Object.keys(patch))
                setOptions({ ...options, ...patch })
              }}
            />
            <Panel>
              <DraftVat lines={shown} tax={tax} change={changeLines} />
              <Figures figures={figures} />
            </Panel>
          </div>
        </Tabs.Panel>
      </Tabs>
      <DraftBar
        selling={selling}
        figures={figures}
        refused={refused.length}
        saving={saving}
        onCreate={() => void create()}
      />
    </div>
  )
}

function Trouble({ message, errors }: { message: string; errors: FieldErrors }) {
  const others = Object.entries(errors).filter(([name]) => !ON_PRODUCTS.includes(name) && !ON_SUMMARY.includes(name))
  return (
    <Alert color="red" role="alert" title="The sale was not made" mb="md">
      <Text size="sm">{message}</Text>
      {others.length > 0 && (
        <List size="sm" mt={4}>
          {others.map(([name, text]) => (
            <List.Item key={name}>{text}</List.Item>
          ))}
        </List>
      )}
    </Alert>
  )
}
