import type { WriteAnswer } from '@backstock/contract/answer.ts'
import { type InvoiceLanguage, LANGUAGE_NAMES } from '@backstock/contract/invoice-language.ts'
import { shownVatNumber } from '@backstock/contract/party-numbers.ts'
import type { PurchaseReceipt } from '@backstock/contract/purchase-receipt.ts'
import { IDENTITY_NAMES, RECEIPT_KIND_NAMES, RECEIPT_PAYMENT_NAMES } from '@backstock/contract/receipt-kind.ts'
import { Alert, Button, Menu, Modal, Stack, Text } from '@mantine/core'
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import IconFileInvoice from '@tabler/icons-react/dist/esm/icons/IconFileInvoice.mjs'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, apiUrl } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'
import { queryClient } from '../../api/query-client.ts'
import { record } from '../../api/reads.ts'
import type { RecordArea, RecordRow } from '../../crud/area.ts'
import { RecordForm } from '../../crud/record-form.tsx'
import { useRecordId } from '../../crud/record-page.tsx'
import { UnreadRecord } from '../../crud/unread-record.tsx'
import { useAct } from '../../ui/feedback/use-act.ts'
import { formatDate } from '../../ui/fields/date-format.ts'
import { TextField } from '../../ui/fields/text-field.tsx'
import { PageHeader } from '../../ui/layout/page-header.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import recordClasses from '../../ui/layout/record.module.css'
import { Summary, SummaryLine } from '../../ui/layout/summary.tsx'
import { DateTime } from '../../ui/values/date-text.tsx'
import { recordPath, TextLink } from '../../ui/values/link.tsx'
import { LANGUAGES } from '../../widgets/language-choices.ts'
import { ReceiptLines } from './lines.tsx'
import classes from './purchase-receipt.module.css'

const BEING_MADE_MS = 1500

export default function PurchaseReceiptPage() {
  const id = useRecordId()
  const found = useQuery({
    ...record<PurchaseReceipt>('purchase-receipt', id ?? 0),
    enabled: id !== null,
    refetchInterval: ({ state }) =>
      state.data?.files.some((file) => file.state === 'pending') ? BEING_MADE_MS : false,
  })
  if (found.data) return <Receipt key={found.data.id} receipt={found.data} />
  return (
    <>
      <PageHeader title={`Purchase receipt #${id ?? ''}`} />
      <UnreadRecord id={id} read={found} kind="receipt" />
    </>
  )
}

function Receipt({ receipt }: { receipt: PurchaseReceipt }) {
  const { number, cancels_id, cancelled_by_id, cancelled_by_number, lines, total, currency } = receipt
  const [cancelling, setCancelling] = useState(false)
  const mayCancel = cancels_id === null && cancelled_by_id === null
  return (
    <>
      <PageHeader
        title={cancels_id === null ? `Purchase receipt ${number}` : `Cancellation ${number}`}
        actions={
          <>
            <More receipt={receipt} onCancel={mayCancel ? () => setCancelling(true) : undefined} />
            <Pdf receipt={receipt} />
          </>
        }
      />
      <div className={recordClasses['facts']}>
        <span>{RECEIPT_KIND_NAMES[receipt.kind]}</span>
        {receipt.supplier_id !== null && (
          <TextLink to={recordPath('supplier', receipt.supplier_id)}>{receipt.supplier_name}</TextLink>
        )}
        <span className={classes['quiet']}>
          <DateTime iso={receipt.created_at} />
          {receipt.created_by_name && ` by ${receipt.created_by_name}`}
        </span>
      </div>
      {cancelled_by_id !== null && (
        <Alert color="gray" mb="md">
          This receipt was cancelled by{' '}
          <TextLink to={recordPath('purchase-receipt', cancelled_by_id)} inherit underline="always">
            {cancelled_by_number}
          </TextLink>
          . It no longer documents the purchase of its items.
        </Alert>
      )}
      {cancels_id !== null && (
        <Alert color="blue" mb="md">
          It cancels{' '}
          <TextLink to={recordPath('purchase-receipt', cancels_id)} inherit underline="always">
            {receipt.cancels_number}
          </TextLink>{' '}
          in full. Reason: {receipt.reason}
        </Alert>
      )}
      <FailedFiles receipt={receipt} />
      <div className={recordClasses['page']}>
        <ReceiptLines lines={lines} total={total} currency={currency} />
        <Panel>
          <ReceiptSummary receipt={receipt} />
        </Panel>
      </div>
      <CancelDialog receipt={receipt} opened={cancelling} onClose={() => setCancelling(false)} />
    </>
  )
}

function ReceiptSummary({ receipt }: { receipt: PurchaseReceipt }) {
  const { seller, issued_on, bought_on, paid_by, files } = receipt
  const sealed = files[0]?.sha256
  return (
    <Summary>
      <SummaryLine name="Seller">
        {[seller.name, ...seller.address].map((line) => (
          <div key={line}>{line}</div>
        ))}
      </SummaryLine>
      {seller.vat_number && <SummaryLine name="VAT number">{shownVatNumber(seller.vat_number)}</SummaryLine>}
      {seller.identity_kind && (
        <SummaryLine name={IDENTITY_NAMES[seller.identity_kind]}>ending in {seller.identity_end}</SummaryLine>
      )}
      <SummaryLine name="Date">{formatDate(issued_on, 'dd/MM/yyyy')}</SummaryLine>
      <SummaryLine name="Date of purchase">{formatDate(bought_on, 'dd/MM/yyyy')}</SummaryLine>
      {paid_by && <SummaryLine name="Payment method">{RECEIPT_PAYMENT_NAMES[paid_by]}</SummaryLine>}
      {sealed && <SummaryLine name="SHA-256 of the PDF">{sealed.slice(0, 16)}…</SummaryLine>}
    </Summary>
  )
}

/** Orders the PDF of a receipt in a language, and shows the receipt as it is then. */
async function order(receipt: PurchaseReceipt, lang: InvoiceLanguage): Promise<void> {
  const { queryKey } = record<PurchaseReceipt>('purchase-receipt', receipt.id)
  try {
    const body = { lang }
    const { data } = await api.post<WriteAnswer<PurchaseReceipt>>(`purchase-receipt/${receipt.id}/print`, { body })
    queryClient.setQueryData(queryKey, data)
  } catch (error) {
    // A toast has shown the reason.
    if (!(error instanceof ApiError)) throw error
    void queryClient.invalidateQueries({ queryKey })
  }
}

const pdfOf = ({ id }: PurchaseReceipt, lang: InvoiceLanguage) =>
  apiUrl(`purchase-receipt/${id}/pdf`, { view: 1, lang })

type MoreProps = { receipt: PurchaseReceipt; onCancel: (() => void) | undefined }

/** Copies in other languages, each of which is ordered before it is shown, and the cancellation. */
function More({ receipt, onCancel }: MoreProps) {
  const states = new Map(receipt.files.map(({ lang, state }) => [lang, state]))
  const others = LANGUAGES.filter(({ value }) => value !== receipt.lang)
  const [ordering, run] = useAct()
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" aria-busy={ordering || undefined} rightSection={<IconChevronDown size={14} />}>
          More
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {others.map(({ value, label }) => {
          const lang = value as InvoiceLanguage
          const state = states.get(lang)
          if (state === 'ready')
            return (
              <Menu.Item
                key={lang}
                component="a"
                href={pdfOf(receipt, lang)}
                target="_blank"
                rel="noreferrer"
                leftSection={<IconDownload size={16} />}
              >
                Copy in {label}
              </Menu.Item>
            )
          const isPending = state === 'pending'
          return (
            <Menu.Item key={lang} disabled={isPending} onClick={() => void run(() => order(receipt, lang))}>
              {isPending ? `A copy in ${label} is being made…` : `Make a copy in ${label}`}
            </Menu.Item>
          )
        })}
        {onCancel && (
          <>
            <Menu.Divider />
            <Menu.Item onClick={onCancel}>Cancel the receipt</Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

/** The PDF as it was made. */
function Pdf({ receipt }: { receipt: PurchaseReceipt }) {
  const icon = <IconFileInvoice size={16} stroke={1.6} />
  if (receipt.file_state === 'ready')
    return (
      <Button component="a" href={pdfOf(receipt, receipt.lang)} target="_blank" rel="noreferrer" leftSection={icon}>
        PDF
      </Button>
    )
  return (
    <Button disabled leftSection={icon}>
      {receipt.file_state === 'failed' ? 'PDF' : 'PDF is being made'}
    </Button>
  )
}

function FailedFiles({ receipt }: { receipt: PurchaseReceipt }) {
  const [ordering, run] = useAct()
  return receipt.files
    .filter(({ state }) => state === 'failed')
    .map(({ lang, error }) => (
      <Alert key={lang} color="red" mb="md">
        {error}{' '}
        <Button
          size="compact-sm"
          variant="default"
          loading={ordering}
          onClick={() => void run(() => order(receipt, lang))}
        >
          Make again in {LANGUAGE_NAMES[lang]}
        </Button>
      </Alert>
    ))
}

type CancelProps = { receipt: PurchaseReceipt; opened: boolean; onClose: () => void }

const cancelForm = ({ id, number }: PurchaseReceipt): RecordArea<RecordRow, { reason: string }> => ({
  area: 'purchase-receipt',
  title: 'Purchase receipt',
  save: `purchase-receipt/${id}/cancel`,
  alsoChanges: ['stock', 'supplier'],
  values: () => ({ reason: '' }),
  fields: (form) => (
    <Stack gap="sm">
      <Text size="sm">
        {number} itself does not change: a cancellation with the next number cancels it in full. Its items can then be
        put on another receipt.
      </Text>
      <TextField label="Reason" withAsterisk autoComplete="off" {...form.getInputProps('reason')} />
    </Stack>
  ),
})

/** Asks for the reason and takes the receipt back. */
function CancelDialog({ receipt, opened, onClose }: CancelProps) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={`Cancel ${receipt.number}`}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <RecordForm area={cancelForm(receipt)} row={null} saveLabel="Cancel the receipt" onSaved={onClose} />
    </Modal>
  )
}
