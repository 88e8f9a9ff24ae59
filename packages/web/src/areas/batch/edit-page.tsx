import type { Batch } from '@backstock/contract/batch.ts'
import type { Hundredths } from '@backstock/contract/money.ts'
import type { StockRow } from '@backstock/contract/stock.ts'
import { isSellable } from '@backstock/contract/stock-status.ts'
import { ActionIcon, Alert, Button, Menu } from '@mantine/core'
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Suspense, useMemo, useRef, useState } from 'react'
import { lazyPart } from '../../api/lazy-part.ts'
import { record } from '../../api/reads.ts'
import { RecordForm } from '../../crud/record-form.tsx'
import { useRecordId } from '../../crud/record-page.tsx'
import { UnreadRecord } from '../../crud/unread-record.tsx'
import { FocusBack } from '../../ui/layout/focus-back.tsx'
import { PageHeader } from '../../ui/layout/page-header.tsx'
import recordClasses from '../../ui/layout/record.module.css'
import { Sections } from '../../ui/layout/section.tsx'
import { Summary, SummaryLine } from '../../ui/layout/summary.tsx'
import { LogTimeline } from '../../ui/log/log-timeline.tsx'
import { withRows } from '../../ui/table/with-rows.ts'
import { PlainLink } from '../../ui/values/link.tsx'
import { Money } from '../../ui/values/money.tsx'
import { withoutPrice } from '../../ui/values/without-price.ts'
import { writeStorageData } from '../basket/storage-data.ts'
import { PrintLabels } from '../label/labels.tsx'
import classes from './batch.module.css'
import { batchDetails } from './batch-form.tsx'
import { BatchItems } from './batch-items.tsx'

const StockPrices = lazyPart(async () => ({ default: (await import('../pricing/dialogs.ts')).StockPrices }))

export default function BatchEditPage() {
  const id = useRecordId()
  const found = useQuery({ ...record<Batch>('batch', id ?? 0), enabled: id !== null })
  if (found.data) return <BatchPage key={found.data.id} batch={found.data} />
  return (
    <>
      <PageHeader title={`Batch #${id ?? ''}`} note=" " />
      <UnreadRecord id={id} read={found} kind="batch" />
    </>
  )
}

function BatchPage({ batch }: { batch: Batch }) {
  const navigate = useNavigate()
  const [pricing, setPricing] = useState(false)
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set())
  const more = useRef<HTMLButtonElement>(null)
  const [printing, setPrinting] = useState(false)
  const sellable = useMemo(() => batch.items.filter((item) => isSellable(item.status)), [batch.items])
  const checked = useMemo(() => sellable.filter((item) => selected.has(item.id)), [sellable, selected])
  const toSell = checked.length > 0 ? checked : sellable

  const check = (rows: StockRow[], on: boolean) => setSelected((now) => withRows(now, rows, on))
  const sell = () => {
    writeStorageData({ saleStockItemIds: toSell.map((item) => item.id), saleFromBatch: batch.id })
    void navigate({ to: '/admin/sale/create' })
  }
  const move = (to: string) => {
    writeStorageData({ batchStockItemIds: checked.map((item) => item.id), movingFromBatch: batch.id })
    void navigate({ to })
  }

  return (
    <>
      <PageHeader
        title={`Batch #${batch.id} - ${batch.name}`}
        note={`Created by ${batch.user_name}`}
        actions={
          <>
            <Menu position="bottom-end">
              <Menu.Target>
                <ActionIcon ref={more} variant="default" size={36} aria-label="More" style={{ flex: 'none' }}>
                  <IconDots size={18} stroke={1.6} />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item disabled={sellable.length === 0} onClick={() => setPricing(true)}>
                  Price by group
                </Menu.Item>
                <Menu.Item component={PlainLink} to={`/admin/offer?batch_id=${batch.id}`}>
                  Make an offer
                </Menu.Item>
                <Menu.Item disabled={toSell.length === 0} onClick={() => setPrinting(true)}>
                  Print labels
                </Menu.Item>
              </Menu.Dropdown>
            </Menu>
            <Menu position="bottom-end">
              <Menu.Target>
                <Button
                  variant="default"
                  disabled={checked.length === 0 || batch.is_locked}
                  rightSection={<IconChevronDown size={14} />}
                >
                  Move items
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item onClick={() => move('/admin/batch/create')}>New Batch</Menu.Item>
                <Menu.Item onClick={() => move('/admin/batch/add-to-batch')}>Add to Batch</Menu.Item>
              </Menu.Dropdown>
            </Menu>
            <Button disabled={toSell.length === 0} onClick={sell}>
              Create Sale ({toSell.length})
            </Button>
          </>
        }
      />
      {printing && <PrintLabels of={{ items: toSell }} backTo={more} onClose={() => setPrinting(false)} />}
      {batch.is_locked && (
        <Alert color="yellow" mb="md" icon={<IconLock size={18} />}>
          This batch is locked, you will not be able to add/remove items.
        </Alert>
      )}
      <div className={recordClasses['page']}>
        <BatchItems batch={batch} isChecked={(row) => selected.has(row.id)} onCheck={check} checked={checked.length} />
        <Sections
          items={[
            {
              name: 'details',
              title: 'Batch Details',
              content: <RecordForm area={batchDetails} row={batch} />,
            },
            { name: 'summary', title: 'Summary', content: <BatchSummary batch={batch} /> },
            { name: 'logs', title: 'Logs', content: <LogTimeline logs={batch.logs} /> },
          ]}
          open={['details', 'summary']}
        />
      </div>
      {pricing && (
        <Suspense>
          <FocusBack to={more} />
          <StockPrices items={batch.items} onClose={() => setPricing(false)} />
        </Suspense>
      )}
    </>
  )
}

/** The margin of the items that have a sales price. An item without one is not a loss, only unfinished. */
function pricedMargin({ items }: Batch): Hundredths {
  const priced = items.filter((item) => item.status !== 'Deleted' && item.sales_price !== null)
  return priced.reduce((margin, item) => margin + (item.sales_price ?? 0) - item.cost, 0)
}

function BatchSummary({ batch }: { batch: Batch }) {
  const { unpriced_items: unpriced, items_count } = batch
  const leftOut = unpriced > 0 && <small className={classes['leftOut']}>{withoutPrice(unpriced)}</small>
  return (
    <Summary>
      <SummaryLine name="Items">{batch.items_count.toLocaleString('en')}</SummaryLine>
      <SummaryLine name="Total purchase price">
        <Money amount={batch.total_purchase_price} />
      </SummaryLine>
      <SummaryLine name="Total sales price">
        <Money amount={items_count > 0 && unpriced === items_count ? null : batch.total_sales_price} />
        {leftOut}
      </SummaryLine>
      <SummaryLine name="Margin">
        <Money amount={items_count > 0 && unpriced === items_count ? null : pricedMargin(batch)} />
        {leftOut}
      </SummaryLine>
    </Summary>
  )
}
