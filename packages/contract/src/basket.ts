import { z } from 'zod'
import { itemIds } from './fields.ts'
import { StockRow } from './stock.ts'
import { MAX_ITEMS } from './stock-status.ts'

/** All items of the basket. They replace the items that the basket held before. */
export const BasketInput = z.object({ items: itemIds(`A basket holds at most ${MAX_ITEMS} items.`) })

export const BasketAnswer = z.object({ success: z.literal(true), data: z.array(StockRow) })
export type BasketAnswer = z.infer<typeof BasketAnswer>
