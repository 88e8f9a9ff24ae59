import type { ReceiptProposal } from '@backstock/contract/purchase-receipt.ts'
import { RECEIPT_KIND_NAMES } from '@backstock/contract/receipt-kind.ts'
import { Alert, Button, NativeSelect, Skeleton, Stack, Text } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useRef } from 'react'
import { api, type Query } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'
import type { Address } from '../../crud/list-state.ts'
import { RecordForm } from '../../crud/record-form.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { askToLeave } from '../../ui/feedback/leave-guard.ts'
import { PageHeader } from '../../ui/layout/page-header.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import recordClasses from '../../ui/layout/record.module.css'
import { PlainLink, recordPath, TextLink } from '../../ui/values/link.tsx'
import { ReceiptLines } from './lines.tsx'
import classes from './purchase-receipt.module.css'
import { receiptForm } from './receipt-form.tsx'

const SOURCES = ['ids', 'basket', 'import_id', 'supplier_id'] as const

const proposalRead = (query: Query) =>
  queryOptions({
    queryKey: ['purchase-receipt', 'proposal', query],
    queryFn: async ({ signal }) =>
      (await api.get<{ data: ReceiptProposal }>('purchase-receipt/proposal', { query, signal })).data,
    // The lines must not change while somebody types. They change if the server refuses the receipt because of them.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnReconnect: false,
  })

/** A new receipt of the items that the address names: of an item, of the basket, or of an import. */
export default function PurchaseReceiptCreatePage() {
  const address = useSearch({ strict: false }) as Address
  const query = useMemo(
    () => Object.fromEntries(SOURCES.flatMap((name) => (address[name] === undefined ? [] : [[name, address[name]]]))),
    [address],
  )
  const found = useQuery(proposalRead(query))
  return (
    <>
      <PageHeader title="New purchase receipt" note={found.data ? noteOf(found.data) : ' '} />
      {found.data ? (
        // If a refusal reads the proposal again, the typed seller stays.
        <Proposed key={found.data.supplier_id} proposal={found.data} />
      ) : found.error instanceof ApiError && found.error.status === 409 ? (
        <Panel>
          <Stack align="flex-start" gap="sm">
            <Text role="alert">
              {found.error.message} Tick items in the stock list, then begin the receipt in the basket.
            </Text>
            <Button component={PlainLink} to="/admin/stock" variant="default">
              Choose items
            </Button>
          </Stack>
        </Panel>
      ) : found.isError ? (
        <ErrorState error={found.error} retry={() => void found.refetch()} />
      ) : (
        <Panel>
          {['name', 'address', 'city', 'country'].map((field) => (
            <Skeleton key={field} height={32} my="md" />
          ))}
        </Panel>
      )}
    </>
  )
}

function noteOf({ kind, supplier_name }: ReceiptProposal): string {
  const name = RECEIPT_KIND_NAMES[kind]
  return supplier_name === null
    ? `Without a supplier: ${name.toLowerCase()}`
    : `${supplier_name}: ${name.toLowerCase()}`
}

function Proposed({ proposal }: { proposal: ReceiptProposal }) {
  const navigate = useNavigate()
  const address = useSearch({ strict: false }) as Address
  const area = useMemo(() => receiptForm(proposal), [proposal])
  const { suppliers, supplier_id, further, lines, total, currency } = proposal
  const unsaved = useRef(false)
  /** Another supplier is another seller, so the typed one goes. */
  const choose = async (id: string) => {
    if (unsaved.current && !(await askToLeave())) return
    await navigate({
      to: '/admin/purchase-receipt/create',
      search: { ...address, supplier_id: id } as never,
      // Back leaves the receipt, and that asks. A step back to the supplier before would drop the typed seller silently.
      replace: true,
      resetScroll: false,
    })
  }
  return (
    <div className={recordClasses['page']}>
      <Stack gap="md" miw={0}>
        {suppliers.length > 1 && (
          <Panel>
            <NativeSelect
              label="Supplier"
              description="A receipt has the items of one seller. The others need receipts of their own."
              data={suppliers.map(({ id, name, items }) => ({
                value: String(id),
                label: `${name ?? 'Without a supplier'}: ${items.toLocaleString('en')} ${items === 1 ? 'item' : 'items'}`,
              }))}
              value={String(supplier_id ?? 0)}
              onChange={(event) => void choose(event.currentTarget.value)}
            />
          </Panel>
        )}
        <RecordForm
          area={area}
          row={null}
          saveLabel="Make the receipt"
          onUnsaved={(now) => {
            unsaved.current = now
          }}
          onSaved={(id) => void navigate({ to: recordPath('purchase-receipt', id) })}
        />
      </Stack>
      <Stack gap="md" miw={0}>
        <ReceiptLines lines={lines} total={total} currency={currency} />
        {further > 0 && (
          <Alert color="blue">
            {further.toLocaleString('en')} further {further === 1 ? 'item needs' : 'items need'} another receipt.
          </Alert>
        )}
        <LeftOut proposal={proposal} />
      </Stack>
    </div>
  )
}

const SHOWN = 10

/** The chosen items that cannot be on a receipt, with the reasons. */
function LeftOut({ proposal: { left_out, left_out_total: total } }: { proposal: ReceiptProposal }) {
  if (total === 0) return null
  const more = total - Math.min(SHOWN, left_out.length)
  return (
    <Alert color="gray">
      <Text size="sm" fw={600}>
        {total.toLocaleString('en')} {total === 1 ? 'item is' : 'items are'} left out
      </Text>
      <ul className={classes['left']}>
        {left_out.slice(0, SHOWN).map(({ stock_id, why }) => (
          <li key={stock_id}>
            <TextLink to={recordPath('stock', stock_id)} inherit underline="always">
              #{stock_id}
            </TextLink>
            : {why}
          </li>
        ))}
        {more > 0 && <li>{more.toLocaleString('en')} more</li>}
      </ul>
    </Alert>
  )
}
