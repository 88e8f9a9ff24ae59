import type { StockItem } from '@backstock/contract/stock.ts'
import { Alert, Button, Skeleton } from '@mantine/core'
import IconFileInvoice from '@tabler/icons-react/dist/esm/icons/IconFileInvoice.mjs'
import IconPrinter from '@tabler/icons-react/dist/esm/icons/IconPrinter.mjs'
import IconReceipt2 from '@tabler/icons-react/dist/esm/icons/IconReceipt2.mjs'
import IconTruckReturn from '@tabler/icons-react/dist/esm/icons/IconTruckReturn.mjs'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { ApiError } from '../../api/error.ts'
import { record } from '../../api/reads.ts'
import type { RecordArea } from '../../crud/area.ts'
import { RecordForm } from '../../crud/record-form.tsx'
import { useRecordId } from '../../crud/record-page.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { PageHeader } from '../../ui/layout/page-header.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { Sections } from '../../ui/layout/section.tsx'
import { LogTimeline } from '../../ui/log/log-timeline.tsx'
import { PlainLink, recordPath, TextLink } from '../../ui/values/link.tsx'
import { PrintLabels } from '../label/labels.tsx'
import { ImportInformation } from './import-information.tsx'
import { StockFields, stockRecord } from './stock-form.tsx'
import type { StockValues } from './stock-values.ts'

// The sections stand inside the form, so that its save bar stays in sight below all of them.
const stock: RecordArea<StockItem, StockValues> = {
  ...stockRecord,
  fields: (form, { row }) => (
    <Sections
      items={[
        { name: 'device', title: 'Device Information', content: <StockFields form={form} row={row} /> },
        {
          name: 'import',
          title: 'Backstock import information',
          content: row && <ImportInformation item={row} />,
        },
        { name: 'logs', title: 'Logs', content: <LogTimeline logs={row?.logs ?? []} /> },
      ]}
      open={['device']}
    />
  ),
}

export default function StockEditPage() {
  const id = useRecordId()
  const found = useQuery({ ...record<StockItem>('stock', id ?? 0), enabled: id !== null })
  const item = found.data
  const button = useRef<HTMLButtonElement>(null)
  const [printing, setPrinting] = useState(false)
  return (
    <>
      <PageHeader
        title={`Stock Item # ${id ?? ''}`}
        note={item?.product_display_name ?? ' '}
        actions={
          <>
            {item?.lacks_receipt && (
              <Button
                component={PlainLink}
                to={`/admin/purchase-receipt/create?ids=${item.id}`}
                variant="default"
                leftSection={<IconFileInvoice size={16} stroke={1.6} />}
              >
                Purchase receipt
              </Button>
            )}
            <Button
              ref={button}
              variant="default"
              leftSection={<IconPrinter size={16} stroke={1.6} />}
              disabled={!item}
              onClick={() => setPrinting(true)}
            >
              Print label
            </Button>
          </>
        }
      />
      {item && printing && <PrintLabels of={{ items: [item] }} backTo={button} onClose={() => setPrinting(false)} />}
      {item?.related_sale_id && (
        <Alert color="blue" mb="md" icon={<IconReceipt2 size={18} />}>
          This item belongs to{' '}
          <TextLink to={recordPath('sale', item.related_sale_id)} inherit underline="always">
            Sale #{item.related_sale_id}
          </TextLink>
          .
        </Alert>
      )}
      {item?.supplier_claim && <ClaimNote claim={item.supplier_claim} />}
      {item?.purchase_receipt && <ReceiptNote receipt={item.purchase_receipt} />}
      {item ? (
        <RecordForm key={item.id} area={stock} row={item} />
      ) : found.isError || id === null ? (
        <ErrorState
          error={found.error ?? new ApiError(404, 'There is no such stock item.')}
          retry={() => void found.refetch()}
        />
      ) : (
        <Panel>
          {['product', 'supplier', 'imei', 'price'].map((field) => (
            <Skeleton key={field} height={32} my="md" />
          ))}
        </Panel>
      )}
    </>
  )
}

/** Leads to the receipt of the item's purchase, and tells its words that are no longer true of the item. */
function ReceiptNote({ receipt }: { receipt: NonNullable<StockItem['purchase_receipt']> }) {
  const { id, number, still_says } = receipt
  const differs = still_says.length > 0
  return (
    <Alert color={differs ? 'gray' : 'blue'} mb="md" icon={<IconFileInvoice size={18} />}>
      This purchase is documented by{' '}
      <TextLink to={recordPath('purchase-receipt', id)} inherit underline="always">
        {number}
      </TextLink>
      {differs ? `. The receipt still says ${still_says.join(', ')}.` : '.'}
    </Alert>
  )
}

function ClaimNote({ claim: { id, state } }: { claim: NonNullable<StockItem['supplier_claim']> }) {
  const link = (
    <TextLink to={recordPath('supplier-claim', id)} inherit underline="always">
      Supplier claim #{id}
    </TextLink>
  )
  return (
    <Alert color={state === 'draft' ? 'blue' : 'orange'} mb="md" icon={<IconTruckReturn size={18} />}>
      {state === 'draft' ? (
        <>This item is in {link}, which has not been sent yet.</>
      ) : (
        <>This item went back to the supplier under {link}.</>
      )}
    </Alert>
  )
}
