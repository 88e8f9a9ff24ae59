import {
  CustomerReturn,
  CustomerReturnCreateInput,
  CustomerReturnInput,
  CustomerReturnQuery,
  CustomerReturnRow,
} from '@backstock/contract/customer-return.ts'
import type { Tx } from '../../db/connect.ts'
import { type Crud, found } from '../../http/crud.ts'
import { BODY } from '../../http/read-bodies.ts'
import { conflict } from '../../http/refusal.ts'
import { recordMessage } from '../../records/log/write.ts'
import { announce } from './announce.ts'
import { editReturn } from './edit.ts'
import { lockReturn } from './locked-return.ts'
import { findReturns, returnRecord } from './queries.ts'

/** The five usual routes of returns. `mailFrom` is the sender from the environment. */
export function customerReturn(
  mailFrom: string | undefined,
): Crud<typeof CustomerReturnQuery, typeof CustomerReturnInput, typeof CustomerReturnRow, typeof CustomerReturn> {
  return {
    area: 'return',
    title: 'Return',
    query: CustomerReturnQuery,
    input: CustomerReturnInput,
    createInput: CustomerReturnCreateInput,
    createBytes: BODY.list,
    editBytes: BODY.list,
    row: CustomerReturnRow,
    record: CustomerReturn,
    unique: {
      customer_return_item_open: { field: 'items', message: 'An item is in another open return already.' },
      customer_return_item_once: { field: 'items', message: 'This item has been returned' },
    },
    find: findReturns,
    one: returnRecord,
    async create(tx, input, actor) {
      const given = CustomerReturnCreateInput.parse(input)
      return announce(tx, given, { userId: actor.id }, mailFrom)
    },
    async edit(tx, id, input, actor) {
      await editReturn(tx, id, input, { userId: actor.id })
      return { id }
    },
    async remove(tx, id, actor) {
      const row = await lockReturn(tx, id)
      if (row.state === 'received' || row.state === 'settled')
        throw conflict(`Return #${id} is ${row.state} and cannot be deleted.`)
      await tx.deleteFrom('customer_return').where('id', '=', id).execute()
      await recordMessage(tx, { userId: actor.id }, 'Return', id, `Return #${id} deleted.`)
    },
  }
}

/** The return with this id. Throws 404 if there is none. */
export async function presented(tx: Tx, id: number): Promise<CustomerReturn> {
  return CustomerReturn.parse(found(await returnRecord(tx, id), `Return #${id}`))
}
