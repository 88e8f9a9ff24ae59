import { z } from 'zod'
import { Amount, DateOnly, Timestamp } from './fields.ts'

/**
 * The states of an item in the value of stock. They are the statuses, except that a sold item has a state of its own
 * until it is dispatched, because it still belongs to the company.
 */
export const STOCK_STATES = [
  'Inbound',
  'In Stock',
  'In Batch',
  'Sold, not yet dispatched',
  'Sold',
  'Returned to Supplier',
  'Deleted',
] as const
export type StockState = (typeof STOCK_STATES)[number]

/**
 * The states that count as value of stock: the goods that are here. Inbound items are counted apart, because the terms
 * of their purchase decide who owns them on their way. In these states, `Sold` means that the item was dispatched.
 */
export const VALUED_STATES = ['In Stock', 'In Batch', 'Sold, not yet dispatched'] as const satisfies StockState[]

/** A number of items and their cost in hundredths of EUR. The cost is without repairs. */
const Worth = { items: z.int(), cost: Amount }

export const StockValueQuery = z.object({ at: DateOnly })

export const StockValue = z.object({
  /** The day for which the value was asked. */
  at: z.string(),
  time_zone: z.string(),
  /** The moment of these figures: the end of the day by the company's clock, or now if the day is today. */
  until: Timestamp,
  /** The figures of every state, in the order of STOCK_STATES. */
  states: z.array(z.object({ state: z.enum(STOCK_STATES), is_valued: z.boolean(), ...Worth })),
  /** The value of stock: the sum of the states that are valued. */
  total: z.object(Worth),
})
export type StockValue = z.infer<typeof StockValue>

export const StockValueAnswer = z.object({ success: z.literal(true), data: StockValue })
