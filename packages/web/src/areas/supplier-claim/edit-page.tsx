import { CLAIM_STATE_NAMES } from '@backstock/contract/claim-state.ts'
import type { SupplierClaim } from '@backstock/contract/supplier-claim.ts'
import { Alert, Button, Stack } from '@mantine/core'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiUrl } from '../../api/client.ts'
import { record } from '../../api/reads.ts'
import { RecordForm } from '../../crud/record-form.tsx'
import { useRecordId } from '../../crud/record-page.tsx'
import { UnreadRecord } from '../../crud/unread-record.tsx'
import { confirmDialog } from '../../ui/feedback/confirm-dialog.tsx'
import { KeptNote } from '../../ui/feedback/kept-note.tsx'
import { formatDate } from '../../ui/fields/date-format.ts'
import { PageHeader } from '../../ui/layout/page-header.tsx'
import recordClasses from '../../ui/layout/record.module.css'
import { Sections } from '../../ui/layout/section.tsx'
import { Summary, SummaryLine } from '../../ui/layout/summary.tsx'
import { LogTimeline } from '../../ui/log/log-timeline.tsx'
import { mustMendPrice } from '../../ui/table/wrong-prices.ts'
import { DateTime } from '../../ui/values/date-text.tsx'
import { recordPath, TextLink } from '../../ui/values/link.tsx'
import { Money } from '../../ui/values/money.tsx'
import { StatusBadge } from '../../ui/values/status-badge.tsx'
import { AddItems } from './add-items.tsx'
import { claimDetails } from './claim-form.tsx'
import { ClaimItems } from './claim-items.tsx'
import { useClaimWrites } from './claim-record.ts'
import { useKeptClaim } from './kept-claim.ts'
import { SettleDialog } from './settle-dialog.tsx'
import classes from './supplier-claim.module.css'

export default function SupplierClaimEditPage() {
  const id = useRecordId()
  const [begins, setBegins] = useState(0)
  const found = useQuery({ ...record<SupplierClaim>('supplier-claim', id ?? 0), enabled: id !== null })
  if (found.data) {
    const key = `${found.data.id} ${begins}`
    return <ClaimPage key={key} claim={found.data} onDiscard={() => setBegins((count) => count + 1)} />
  }
  return (
    <>
      <PageHeader title={`Supplier claim #${id ?? ''}`} />
      <UnreadRecord id={id} read={found} kind="claim" />
    </>
  )
}

function ClaimPage({ claim, onDiscard }: { claim: SupplierClaim; onDiscard: () => void }) {
  const writes = useClaimWrites(claim.id)
  const kept = useKeptClaim(claim)
  const { checked, setChecked, credits, setCredits, pasted, setPasted } = kept
  const [settling, setSettling] = useState(false)
  const there = new Set(claim.items.map((item) => item.id))
  const stillChecked = new Set([...checked].filter((id) => there.has(id)))
  const settled = () => {
    setSettling(false)
    kept.settled()
  }
  return (
    <>
      <PageHeader
        title={`Supplier claim #${claim.id}`}
        note={kept.isKept && <KeptNote isFound onDiscard={() => kept.discard(onDiscard)} />}
        actions={
          <Actions
            claim={claim}
            writes={writes}
            isMorePasted={pasted.trim() !== ''}
            onSent={() => setPasted('')}
            onSettle={() => {
              if (!mustMendPrice(claim.items, kept.wrong, 'The credit')) setSettling(true)
            }}
          />
        }
      />
      <Facts claim={claim} />
      {writes.trouble && (
        <Alert color="red" role="alert" mb="md" icon={<IconAlertTriangle size={18} />}>
          {writes.trouble}
        </Alert>
      )}
      <div className={recordClasses['page']}>
        <Stack gap="md" className={classes['main'] ?? ''}>
          {claim.state === 'draft' && <AddItems claim={claim} writes={writes} text={pasted} onText={setPasted} />}
          <ClaimItems
            claim={claim}
            writes={writes}
            credits={credits}
            onCredit={(id, credit) => setCredits((now) => new Map(now).set(id, credit))}
            prices={kept.prices}
            checked={stillChecked}
            onCheck={setChecked}
          />
        </Stack>
        <Sections
          items={[
            { name: 'summary', title: 'Summary', content: <ClaimSummary claim={claim} /> },
            { name: 'details', title: 'Claim Details', content: <RecordForm area={details} row={claim} /> },
            { name: 'logs', title: 'Logs', content: <LogTimeline logs={claim.logs} /> },
          ]}
          open={['summary', 'details']}
        />
      </div>
      <SettleDialog
        claim={claim}
        credits={credits}
        back={stillChecked}
        opened={settling}
        onClose={() => setSettling(false)}
        onSettled={settled}
      />
    </>
  )
}

const details: typeof claimDetails = {
  ...claimDetails,
  fields: (form, context) => <Stack gap="sm">{claimDetails.fields(form, context)}</Stack>,
}

type ActionsProps = {
  claim: SupplierClaim
  writes: ReturnType<typeof useClaimWrites>
  /** True if the field holds pasted lines that were not added to the claim yet. */
  isMorePasted: boolean
  onSent: () => void
  onSettle: () => void
}

function Actions({ claim, writes, isMorePasted, onSent, onSettle }: ActionsProps) {
  const { id, state, supplier_name, items_count, updated_at } = claim
  const send = async () => {
    const question =
      items_count === 1
        ? `1 item goes back to ${supplier_name}, and leaves its batch and all baskets. It can no longer be sold.`
        : `${items_count.toLocaleString('en')} items go back to ${supplier_name}, and leave batches and baskets. They can no longer be sold.`
    const left = isMorePasted ? ' The pasted lines have not been added, and are left out.' : ''
    if ((await confirmDialog(question + left, 'Send')) && (await writes.write('send', { updated_at }))) onSent()
  }
  return (
    <>
      <Button
        component="a"
        variant="default"
        href={apiUrl(`supplier-claim/${id}/csv`)}
        download
        leftSection={<IconDownload size={16} />}
      >
        CSV
      </Button>
      {state === 'draft' && (
        <Button disabled={items_count === 0} loading={writes.running} onClick={() => void send()}>
          Send
        </Button>
      )}
      {state === 'sent' && <Button onClick={onSettle}>Settle</Button>}
    </>
  )
}

function Facts({ claim }: { claim: SupplierClaim }) {
  const { state, supplier_id, supplier_name, reference, sent_at, settled_on, created_at, created_by_name } = claim
  return (
    <div className={recordClasses['facts']}>
      <StatusBadge status={CLAIM_STATE_NAMES[state]} />
      <TextLink to={recordPath('supplier', supplier_id)}>{supplier_name}</TextLink>
      {reference && <span>{reference}</span>}
      <span className={classes['quiet']}>
        <DateTime iso={created_at} />
        {created_by_name && ` by ${created_by_name}`}
      </span>
      {sent_at && (
        <span className={classes['quiet']}>
          Sent <DateTime iso={sent_at} />
        </span>
      )}
      {settled_on && (
        <span className={classes['quiet']}>
          {CLAIM_STATE_NAMES[state]} {formatDate(settled_on, 'dd/MM/yyyy')}
        </span>
      )}
    </div>
  )
}

function ClaimSummary({ claim }: { claim: SupplierClaim }) {
  const { items_count, total_cost, credit_expected, credit_received } = claim
  const expected = credit_expected ?? total_cost
  return (
    <Summary>
      <SummaryLine name="Items">{items_count.toLocaleString('en')}</SummaryLine>
      <SummaryLine name="Purchase prices">
        <Money amount={total_cost} />
      </SummaryLine>
      <SummaryLine name="Credit expected">
        <Money amount={expected} />
      </SummaryLine>
      <SummaryLine name="Credit received">
        <Money amount={credit_received} />
      </SummaryLine>
      {credit_received !== null && credit_received !== expected && (
        <SummaryLine name={credit_received < expected ? 'Less than expected by' : 'More than expected by'}>
          <Money amount={Math.abs(credit_received - expected)} />
        </SummaryLine>
      )}
    </Summary>
  )
}
