import { CLAIM_REASONS, isReturnable } from '@backstock/contract/claim-state.ts'
import type { Hundredths } from '@backstock/contract/money.ts'
import type { SupplierClaim, SupplierClaimItem } from '@backstock/contract/supplier-claim.ts'
import { Button, Group, Menu, Text } from '@mantine/core'
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import { useEffect, useMemo, useRef, useState } from 'react'
import { Panel } from '../../ui/layout/panel.tsx'
import type { Column } from '../../ui/table/column.ts'
import { textColumn } from '../../ui/table/columns.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { EditableMoney } from '../../ui/table/editable-cell.tsx'
import { RowPages, rowsOf } from '../../ui/table/paged-rows.tsx'
import { withRows } from '../../ui/table/with-rows.ts'
import type { WrongPriceKeeper } from '../../ui/table/wrong-prices.ts'
import { Money } from '../../ui/values/money.tsx'
import { stockIdColumn, stockProductColumn, stockStatusColumn } from '../stock/stock-columns.tsx'
import type { ClaimWrites } from './claim-record.ts'
import classes from './supplier-claim.module.css'

type ClaimLine = SupplierClaimItem & { locked: string | null }

/** Why an item of a draft claim cannot be sent back; null if it can. */
function stuck(item: SupplierClaimItem, claim: SupplierClaim): string | null {
  if (claim.state !== 'draft') return null
  if (!isReturnable(item.status)) return `Cannot go back: it is ${item.status}`
  if (item.supplier_id !== claim.supplier_id) return 'Cannot go back: its supplier has changed'
  return item.is_batch_locked ? 'Cannot go back: its batch is locked' : null
}

const lockedReason = (line: ClaimLine) => line.locked

const COLUMNS: readonly Column<ClaimLine>[] = [
  stockIdColumn(),
  { ...stockStatusColumn(), phone: 'below' },
  stockProductColumn(),
  textColumn('Reason', (line) => line.reason),
  {
    header: 'Purchase price',
    align: 'right',
    cell: (line) => (
      <span>
        <span className={classes['onPhone']}>Cost </span>
        <Money amount={line.cost} />
      </span>
    ),
  },
]

const CREDITED: Column<ClaimLine> = {
  header: 'Credit',
  align: 'right',
  width: 130,
  cell: (line) =>
    line.is_back && line.credit === null ? (
      'Came back'
    ) : (
      <span>
        <span className={classes['onPhone']}>Credit </span>
        <Money amount={line.credit} />
      </span>
    ),
}

const creditColumn = (
  credits: Credits,
  onCredit: (id: number, credit: Hundredths) => void,
  prices: WrongPriceKeeper,
): Column<ClaimLine> => ({
  header: 'Credit',
  align: 'right',
  width: 130,
  cell: (line) => (
    <span className={classes['price']}>
      <span className={classes['onPhone']}>Credit </span>
      <EditableMoney
        label={`Credit of #${line.id}`}
        value={credits.get(line.id) ?? null}
        onSave={async (credit) => onCredit(line.id, credit)}
        wrongBefore={prices.of(line.id)}
        onWrong={(price) => prices.set(line.id, price)}
      />
    </span>
  ),
})

export type Credits = ReadonlyMap<number, Hundredths>

type Props = {
  claim: SupplierClaim
  writes: ClaimWrites
  /** The typed supplier credits by item. Only a sent claim has them. */
  credits: Credits
  onCredit: (id: number, credit: Hundredths) => void
  prices: WrongPriceKeeper
  checked: ReadonlySet<number>
  onCheck: (checked: ReadonlySet<number>) => void
}

/**
 * The items of a claim, 100 on a page. In a draft, ticks choose items to remove or change; in a sent claim, those that
 * the supplier has sent back.
 */
export function ClaimItems({ claim, writes, credits, onCredit, prices, checked, onCheck }: Props) {
  const [wanted, setPage] = useState(1)
  const lines = useMemo(() => claim.items.map((item): ClaimLine => ({ ...item, locked: stuck(item, claim) })), [claim])
  const { rows, page, pages } = rowsOf(lines, wanted)
  const latest = useRef(onCredit)
  useEffect(() => {
    latest.current = onCredit
  })
  const columns = useMemo(() => {
    if (claim.state === 'draft') return COLUMNS
    return [
      ...COLUMNS,
      claim.state === 'sent' ? creditColumn(credits, (...typed) => latest.current(...typed), prices) : CREDITED,
    ]
  }, [claim.state, credits, prices])
  const isOpen = claim.state === 'draft' || claim.state === 'sent'
  return (
    <Panel p={0} className={classes['items'] ?? ''}>
      <div className={classes['head']}>
        <Text size="sm" role="status">
          {claim.items.length.toLocaleString('en')} {claim.items.length === 1 ? 'item' : 'items'}
          {checked.size > 0 && `, ${checked.size.toLocaleString('en')} ticked`}
          {checked.size > 0 && claim.state === 'sent' && ': these come back into stock'}
        </Text>
        {claim.state === 'draft' && checked.size > 0 && <DraftActions {...{ writes, checked, onCheck }} />}
        {claim.state === 'sent' && checked.size === 0 && (
          <Text size="xs" c="dimmed">
            Tick what came back. Credits of single items are optional.
          </Text>
        )}
      </div>
      <DataTable
        label="Items of the claim"
        columns={columns}
        rows={rows}
        dimmed={writes.running}
        lockedReason={lockedReason}
        ticks={
          isOpen
            ? {
                isTicked: (line) => checked.has(line.id),
                onTick: (ticked, on) => onCheck(withRows(checked, ticked, on)),
              }
            : undefined
        }
        empty={<p>In the field above, paste or scan what goes back to {claim.supplier_name}.</p>}
      />
      <RowPages page={page} pages={pages} total={lines.length} onPage={setPage} />
    </Panel>
  )
}

function DraftActions({ writes, checked, onCheck }: Pick<Props, 'writes' | 'checked' | 'onCheck'>) {
  const ids = [...checked]
  const remove = async () => {
    if (await writes.write('remove-items', { items: ids })) onCheck(new Set())
  }
  const setReason = async (reason: string) => {
    if (await writes.write('add-items', { items: ids, reason })) onCheck(new Set())
  }
  return (
    <Group gap="xs">
      <Menu position="bottom-end">
        <Menu.Target>
          <Button size="xs" variant="default" disabled={writes.running} rightSection={<IconChevronDown size={14} />}>
            Set reason
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {CLAIM_REASONS.map((reason) => (
            <Menu.Item key={reason} onClick={() => void setReason(reason)}>
              {reason}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Button size="xs" variant="default" disabled={writes.running} onClick={() => void remove()}>
        Remove
      </Button>
    </Group>
  )
}
