/** The states of a delivery check. A person closes an open check, and can open it again. */
export const CHECK_STATES = ['open', 'closed'] as const
export type CheckState = (typeof CHECK_STATES)[number]
export const CHECK_STATE_NAMES = { open: 'Open', closed: 'Closed' } as const satisfies Record<CheckState, string>

/**
 * The meaning of a code for a delivery. `matched`: an expected item that was Inbound. `received`: an expected item that
 * was in stock already. `unexpected`: an item that is not in this delivery. `unknown`: no item. `hint`: the code cannot
 * identify a phone (an article number, for example), and the check does not keep it.
 */
export const SCAN_RESULTS = ['matched', 'received', 'unexpected', 'unknown', 'hint'] as const
export type ScanResult = (typeof SCAN_RESULTS)[number]

/**
 * The lists of a check. `missing` has the expected items that nobody has scanned; `twice` has every code that was
 * scanned more than once.
 */
export const CHECK_LISTS = ['matched', 'missing', 'unexpected', 'twice', 'received'] as const
export type CheckList = (typeof CHECK_LISTS)[number]
export const CHECK_LIST_NAMES = {
  matched: 'Matched',
  missing: 'Missing',
  unexpected: 'Not in this delivery',
  twice: 'Scanned again',
  received: 'Already received',
} as const satisfies Record<CheckList, string>
