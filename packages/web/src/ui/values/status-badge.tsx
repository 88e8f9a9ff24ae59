import type { BANK_ENTRY_STATE_NAMES, BankEntryState } from '@backstock/contract/bank-entry-state.ts'
import type { CLAIM_STATE_NAMES, ClaimState } from '@backstock/contract/claim-state.ts'
import type { CHECK_STATE_NAMES, CheckState } from '@backstock/contract/delivery-lists.ts'
import type { RETURN_STATE_NAMES, ReturnState } from '@backstock/contract/return-state.ts'
import type { SaleStatus } from '@backstock/contract/sale-status.ts'
import type { StockStatus } from '@backstock/contract/stock-status.ts'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import classes from './status-badge.module.css'

type Shown =
  | StockStatus
  | SaleStatus
  | (typeof CLAIM_STATE_NAMES)[ClaimState]
  | (typeof RETURN_STATE_NAMES)[ReturnState]
  | (typeof CHECK_STATE_NAMES)[CheckState]
  | (typeof BANK_ENTRY_STATE_NAMES)[BankEntryState]

/** The colour of each status (Mantine's names), the same in lists, badges, charts and logs. */
export const STATUS_COLOURS: Record<Shown, string> = {
  Inbound: 'blue',
  'In Stock': 'green',
  'In Batch': 'violet',
  Sold: 'gray',
  'Returned to Supplier': 'orange',
  Deleted: 'red',
  New: 'blue',
  'Awaiting Payment': 'yellow',
  'Awaiting Dispatch': 'violet',
  'Requires Attention': 'red',
  Dispatched: 'green',
  Voided: 'gray',
  Draft: 'blue',
  Sent: 'orange',
  Announced: 'blue',
  Received: 'violet',
  Settled: 'green',
  Refused: 'red',
  Open: 'blue',
  Closed: 'gray',
  'To book': 'blue',
  'Partly booked': 'violet',
  Booked: 'green',
  'Set aside': 'gray',
}

/** The status of a record. The text says it all, so nobody needs to see the colour. */
export function StatusBadge({ status }: { status: Shown }) {
  return (
    <span className={classes['badge']} data-colour={STATUS_COLOURS[status]}>
      {status === 'Requires Attention' ? <IconAlertTriangle size={13} /> : <span className={classes['dot']} />}
      {status}
    </span>
  )
}
