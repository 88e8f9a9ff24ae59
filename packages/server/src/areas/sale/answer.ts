import { writeAnswer } from '@backstock/contract/answer.ts'
import { Sale } from '@backstock/contract/sale.ts'
import type { Tx } from '../../db/connect.ts'
import { saleOf } from './queries.ts'

/** What a write of a sale answers. */
export const SaleAnswer = writeAnswer(Sale)

/** The whole sale as it is within the transaction, and nothing else of it. */
export const presented = async (tx: Tx, id: number): Promise<Sale> => Sale.parse(await saleOf(tx, id))
