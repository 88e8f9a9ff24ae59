import type { Sale } from '@backstock/contract/sale.ts'
import type { SaleStatus } from '@backstock/contract/sale-status.ts'
import { Alert, Anchor, Button, Tabs } from '@mantine/core'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, type Ref, Suspense, useRef, useState } from 'react'
import { api } from '../../../api/client.ts'
import { ApiError } from '../../../api/error.ts'
import { lazyPart } from '../../../api/lazy-part.ts'
import { queryClient } from '../../../api/query-client.ts'
import { record } from '../../../api/reads.ts'
import { useRecordId } from '../../../crud/record-page.tsx'
import { UnreadRecord } from '../../../crud/unread-record.tsx'
import { confirmDialog, DELETE_ENTRY } from '../../../ui/feedback/confirm-dialog.tsx'
import { FocusBack } from '../../../ui/layout/focus-back.tsx'
import { PageHeader } from '../../../ui/layout/page-header.tsx'
import recordClasses from '../../../ui/layout/record.module.css'
import { Sections } from '../../../ui/layout/section.tsx'
import { LogTimeline } from '../../../ui/log/log-timeline.tsx'
import { DateTime } from '../../../ui/values/date-text.tsx'
import { PlainLink, recordPath, TextLink } from '../../../ui/values/link.tsx'
import { PaymentBadge } from '../../../ui/values/payment-badge.tsx'
import { StatusBadge } from '../../../ui/values/status-badge.tsx'
import { BuyerDetails } from '../buyer-details.tsx'
import { SaleDocuments } from '../documents/documents.tsx'
import { hasPapers, SalePapers } from '../documents/menu.tsx'
import { ShippingLabel } from '../documents/shipping-label.tsx'
import { Figures } from '../figures.tsx'
import { NextStep, nextStepOf } from '../next-step.tsx'
import { SalePayments } from '../payments/payments.tsx'
import classes from '../sale.module.css'
import { mayCorrect } from '../sale-papers.ts'
import { useSale } from '../sale-record.ts'
import { UnfinishedCorrection } from '../unfinished-correction.tsx'
import { GeneralInfo, type GeneralInfoHandle } from './general-info.tsx'
import { SaleProducts } from './products.tsx'
import { MoneyToGiveBack, VoidSale } from './void-sale.tsx'

const PayDialog = lazyPart(() => import('../payments/pay-dialog.tsx'))
/** Few sales have a check of a VAT number. */
const SaleVatCheck = lazyPart(() => import('./vat-check.tsx'))

export default function SaleEditPage() {
  const id = useRecordId()
  const found = useSale(id)
  const sale = found.data
  if (sale) return <SaleScreen key={sale.id} sale={sale} />
  return (
    <>
      <PageHeader title={`Sale #${id ?? ''}`} />
      <UnreadRecord id={id} read={found} kind="sale" />
    </>
  )
}

function SaleScreen({ sale }: { sale: Sale }) {
  const navigate = useNavigate()
  const { tab = 'products' } = useSearch({ strict: false }) as { tab?: string }
  const general = useRef<GeneralInfoHandle>(null)
  const show = (name: string | null) =>
    void navigate({
      to: '.',
      search: { tab: name === 'summary' ? name : undefined } as never,
      replace: true,
      resetScroll: false,
    })
  const move = (to: SaleStatus) => {
    // A change of status also saves the form on the summary tab. That tab is shown, because it has the server's
    // messages.
    show('summary')
    general.current?.move(to)
  }
  const [paying, setPaying] = useState(false)
  const pay = () => {
    if (general.current) general.current.saveThen(() => setPaying(true))
    else setPaying(true)
  }
  return (
    <>
      <PageHeader title={`Sale #${sale.id}`} actions={saleActions({ sale, onPay: pay, onMove: move })} />
      <Facts sale={sale} />
      {mayCorrect(sale) && <UnfinishedCorrection saleId={sale.id} />}
      {sale.status === 'Requires Attention' && (
        <UnavailableItems sale={sale} onResubmit={() => move('Awaiting Dispatch')} />
      )}
      {sale.status === 'Voided' && sale.open_amount < 0 && <MoneyToGiveBack sale={sale} onPay={pay} />}
      <Tabs value={tab === 'summary' ? 'summary' : 'products'} onChange={show} keepMountedMode="display-none">
        <Tabs.List mb="md">
          <Tabs.Tab value="products">Products ({sale.items.length.toLocaleString('en')})</Tabs.Tab>
          <Tabs.Tab value="summary">Summary</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="products">
          <SaleProducts sale={sale} />
        </Tabs.Panel>
        <Tabs.Panel value="summary">
          <Summary sale={sale} general={general} onPay={pay} />
        </Tabs.Panel>
      </Tabs>
      {paying && (
        <Suspense>
          <FocusBack />
          <PayDialog sale={sale} onClose={() => setPaying(false)} />
        </Suspense>
      )}
    </>
  )
}

type ActionProps = { sale: Sale; onPay: () => void; onMove: (to: SaleStatus) => void }

/** The buttons beside the title; undefined if there are none. */
function saleActions({ sale, onPay, onMove }: ActionProps): ReactNode {
  const step = nextStepOf(sale)
  if (!hasPapers(sale) && !mayDelete(sale) && !mayCorrect(sale) && !step) return undefined
  return (
    <>
      {hasPapers(sale) && <SalePapers sale={sale} />}
      {mayDelete(sale) && <DeleteSale sale={sale} />}
      {mayCorrect(sale) && (
        <Button component={PlainLink} to={`/admin/sale/correct/${sale.id}`} variant="default">
          Correct
        </Button>
      )}
      {step && <NextStep sale={sale} step={step} onPay={onPay} onMove={onMove} />}
    </>
  )
}

/** The line below the title: status, customer, and who made the sale when. */
function Facts({ sale }: { sale: Sale }) {
  return (
    <div className={recordClasses['facts']}>
      <StatusBadge status={sale.status} />
      {sale.payment_state !== 'Nothing due' && <PaymentBadge state={sale.payment_state} />}
      <TextLink to={recordPath('customer', sale.customer_id)}>
        {sale.customer_company_name ?? sale.customer_name}
      </TextLink>
      {sale.customer_company_name && <span>{sale.customer_name}</span>}
      {sale.reference_number && <span>{sale.reference_number}</span>}
      <span className={classes['quiet']}>
        <DateTime iso={sale.created_at} />
        {sale.created_by_name && ` by ${sale.created_by_name}`}
      </span>
    </div>
  )
}

/** Says that items of the sale are gone, and offers to resubmit it without them. */
function UnavailableItems({ sale, onResubmit }: { sale: Sale; onResubmit: () => void }) {
  return (
    <Alert color="red" mb="md" role="alert" icon={<IconAlertTriangle size={18} />}>
      Action required. {sale.unavailable_items} items are unavailable for this order and have been removed from the
      stock. Please review and{' '}
      <Anchor
        component="button"
        type="button"
        inherit
        c="inherit"
        fw={600}
        underline="always"
        className={classes['inText'] ?? ''}
        onClick={onResubmit}
      >
        click here
      </Anchor>{' '}
      to resubmit the order.
    </Alert>
  )
}

type SummaryProps = { sale: Sale; general: Ref<GeneralInfoHandle>; onPay: () => void }

/** The sections of the tab 'Summary'. */
function Summary({ sale, general, onPay }: SummaryProps) {
  return (
    <Sections
      open={['general', 'customer', 'shipping', 'summary', 'payment']}
      items={[
        {
          name: 'general',
          title: 'General Info',
          content: (
            <>
              <GeneralInfo sale={sale} handle={general} />
              {sale.status === 'Awaiting Dispatch' && <VoidSale sale={sale} />}
            </>
          ),
        },
        {
          name: 'customer',
          title: 'Customer Data',
          content: (
            <>
              <BuyerDetails buyer={sale.customer} address={sale.address} billingAddress={sale.billing_address} />
              {(sale.vat_check || sale.vat_check_doubt) && (
                <Suspense>
                  <SaleVatCheck sale={sale} />
                </Suspense>
              )}
            </>
          ),
        },
        { name: 'shipping', title: 'Shipping', content: <ShippingLabel sale={sale} /> },
        {
          name: 'summary',
          title: 'Summary',
          content: (
            <div className={classes['summary']}>
              <SaleFiguresOf sale={sale} />
              <SaleDocuments sale={sale} />
            </div>
          ),
        },
        { name: 'payment', title: 'Payment', content: <SalePayments sale={sale} onPay={onPay} /> },
        { name: 'logs', title: 'Logs', content: <LogTimeline logs={sale.logs} /> },
      ]}
    />
  )
}

function SaleFiguresOf({ sale }: { sale: Sale }) {
  const returned = sale.items.filter((item) => item.returned)
  const notes = [
    returned.length > 0 && `without ${returned.length} returned`,
    sale.items.some(({ allowed_price }) => allowed_price > 0) && 'less allowances',
  ].filter(Boolean)
  return (
    <Figures
      note={notes.length > 0 ? notes.join(', ') : undefined}
      figures={{
        items: sale.total_items,
        purchase: sale.total_purchase_price,
        net: sale.total_sales_price,
        vat: sale.vat_totals,
        gross: sale.total_sales_price_vat,
        marginVat: sale.total_margin_vat,
        profit: sale.total_profit,
        cost: returned.reduce((cost, item) => cost - item.purchase_price, sale.total_purchase_price),
      }}
    />
  )
}

const mayDelete = (sale: Sale) => sale.status === 'Voided' && sale.invoice_number === null

function DeleteSale({ sale }: { sale: Sale }) {
  const navigate = useNavigate()
  const [deleting, setDeleting] = useState(false)
  const remove = async () => {
    if (deleting || !(await confirmDialog(DELETE_ENTRY))) return
    setDeleting(true)
    try {
      await api.del(`sale/${sale.id}/delete`)
      await navigate({ to: '/admin/sale' })
      queryClient.removeQueries({ queryKey: record<Sale>('sale', sale.id).queryKey })
      void queryClient.invalidateQueries({ queryKey: ['sale'] })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
    } finally {
      setDeleting(false)
    }
  }
  return (
    <Button variant="default" leftSection={<IconTrash size={16} />} loading={deleting} onClick={() => void remove()}>
      Delete
    </Button>
  )
}
