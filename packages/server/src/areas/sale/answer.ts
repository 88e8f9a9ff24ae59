import { writeAnswer } from '@backstock/contract/answer.ts'
import { Sale } from '@backstock/contract/sale.ts'
import type { Tx } from '../../db/connect.ts'
import { saleOf } from './queries.ts'

/** The answer to a write of a sale. */
export const SaleAnswer = writeAnswer(Sale)

/** The whole sale as this transaction sees it, with only the fields of the contract. */
export const presented = async (tx: Tx, id: number): Promise<Sale> => Sale.parse(await saleOf(tx, id))
