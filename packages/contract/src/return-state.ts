/**
 * The states of a customer's return. `announced`: nothing has come yet. `received`: some or all items are here.
 * `settled`: credit and money are balanced. `refused`: the shop does not take it.
 */
export const RETURN_STATES = ['announced', 'received', 'settled', 'refused'] as const
export type ReturnState = (typeof RETURN_STATES)[number]
export const RETURN_STATE_NAMES = {
  announced: 'Announced',
  received: 'Received',
  settled: 'Settled',
  refused: 'Refused',
} as const satisfies Record<ReturnState, string>

/**
 * The states that a person may choose, by the present state. A return becomes `received` only by the request that
 * receives its items.
 */
const moves: Record<ReturnState, readonly ReturnState[]> = {
  announced: ['announced', 'refused'],
  received: ['received', 'settled'],
  settled: ['settled'],
  refused: ['refused'],
}
export const allowedReturnStates = (from: ReturnState): readonly ReturnState[] => moves[from]

/** Why a customer gives an item back. */
export const RETURN_REASONS = [
  'not_stated',
  'faulty',
  'not_as_described',
  'wrong_item',
  'damaged_in_transit',
  'not_wanted',
  'other',
] as const
export type ReturnReason = (typeof RETURN_REASONS)[number]
export const RETURN_REASON_NAMES: Record<ReturnReason, string> = {
  not_stated: 'Not stated',
  faulty: 'Faulty',
  not_as_described: 'Not as described',
  wrong_item: 'Wrong item',
  damaged_in_transit: 'Damaged in transit',
  not_wanted: 'No longer wanted',
  other: 'Other',
}

/** The condition in which an item came back. */
export const RETURN_CONDITIONS = ['not_checked', 'as_sold', 'used', 'damaged', 'defective'] as const
export type ReturnCondition = (typeof RETURN_CONDITIONS)[number]
export const RETURN_CONDITION_NAMES: Record<ReturnCondition, string> = {
  not_checked: 'Not checked',
  as_sold: 'As sold',
  used: 'Signs of use',
  damaged: 'Damaged',
  defective: 'Defective',
}

/** The shop's decision on an item that came back. */
export const RETURN_OUTCOMES = ['restock', 'inbound', 'to_supplier', 'scrap'] as const
export type ReturnOutcome = (typeof RETURN_OUTCOMES)[number]
export const RETURN_OUTCOME_NAMES: Record<ReturnOutcome, string> = {
  restock: 'Back in stock',
  inbound: 'Inbound for testing',
  to_supplier: 'To the supplier',
  scrap: 'Scrap',
}
