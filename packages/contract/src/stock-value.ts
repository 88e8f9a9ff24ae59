import { z } from 'zod'
import { Amount, DateOnly, Timestamp } from './fields.ts'

/** The places of an item: its status, but that one which is sold stays the company's until it is dispatched. */
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
 * The parts of the value of stock: the goods in the house, until they leave it. Not Inbound, which is on its way:
 * its owner meanwhile depends on the purchase, so it is counted apart. Not Sold, which here means dispatched.
 */
export const VALUED_STATES = ['In Stock', 'In Batch', 'Sold, not yet dispatched'] as const satisfies StockState[]

/** The number of items and their cost, in hundredths of EUR, without repairs. */
const Worth = { items: z.int(), cost: Amount }

export const StockValueQuery = z.object({ at: DateOnly })

export const StockValue = z.object({
  /** The day asked for. */
  at: z.string(),
  time_zone: z.string(),
  /** The moment of these figures: the end of that day by the company's clock; now, if the day is today. */
  until: Timestamp,
  /** Every state, in the order of STOCK_STATES. */
  states: z.array(z.object({ state: z.enum(STOCK_STATES), is_valued: z.boolean(), ...Worth })),
  /** The value of stock: the sum of the states that are valued. */
  total: z.object(Worth),
})
export type StockValue = z.infer<typeof StockValue>

export const StockValueAnswer = z.object({ success: z.literal(true), data: StockValue })
