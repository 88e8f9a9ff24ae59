import { writeAnswer } from '@backstock/contract/answer.ts'
import { Sale } from '@backstock/contract/sale.ts'
import type { Tx } from '../../db/connect.ts'
import { found } from '../../http/crud.ts'
import { saleOf } from './queries.ts'

/** The answer to a write of a sale. */
export const SaleAnswer = writeAnswer(Sale)

/** The whole sale as this transaction sees it. The route's schema takes the fields of the contract from it. */
export const presented = async (tx: Tx, id: number): Promise<Sale> => found(await saleOf(tx, id), `Sale #${id}`)
