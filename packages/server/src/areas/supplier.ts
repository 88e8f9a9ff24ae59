import { countryName } from '@backstock/contract/country.ts'
import { Supplier, SupplierHit, SupplierInput, SupplierQuery } from '@backstock/contract/supplier.ts'
import { vatNumberProblem } from '@backstock/contract/vat-number-check.ts'
import { sql } from 'kysely'
import type { Db } from '../db/connect.ts'
import { humanOrder, page } from '../db/page.ts'
import { fieldsOf, found, type WritableCrud } from '../http/crud.ts'
import { edited } from '../records/edited.ts'
import { logsOf } from '../records/log/read.ts'
import { recordChanges, recordMessage } from '../records/log/write.ts'
import { refuseUsed } from '../records/used.ts'

const suppliers = (db: Db) =>
  db
    .selectFrom('supplier')
    .select([
      'id',
      ...fieldsOf(SupplierInput),
      sql<string>`concat_ws(' ', first_name, last_name)`.as('full_name'),
      'created_at',
      'updated_at',
    ])

type Numbered = { vat_number?: string | null | undefined; country_code?: string | null | undefined }

/** A note for the person if the VAT number that was just written looks wrong. */
function numberWarning(written: string, { vat_number, country_code }: Numbered): string | undefined {
  const problem = vatNumberProblem(vat_number ?? null, country_code ?? null, vat_number ?? '')
  return problem === null ? undefined : `${written} ${problem}`
}

/** A supplier's fields as the log shows them: with the name of the country, as a customer's log has it. */
const logged = <Row extends Pick<Numbered, 'country_code'>>({ country_code, ...row }: Row) => ({
  ...row,
  country: countryName(country_code ?? null),
})

export const supplier: WritableCrud<typeof SupplierQuery, typeof SupplierInput, typeof Supplier> = {
  area: 'supplier',
  title: 'Supplier',
  query: SupplierQuery,
  input: SupplierInput,
  row: Supplier,
  record: Supplier,
  hit: SupplierHit,
  find: (db, query) =>
    page(suppliers(db), query, {
      table: 'supplier',
      sort: {
        id: 'supplier.id',
        company_name: humanOrder('supplier.company_name'),
        first_name: humanOrder('supplier.first_name'),
        last_name: humanOrder('supplier.last_name'),
        email_address: humanOrder('supplier.email_address'),
      },
    }),
  async one(db, id) {
    const row = await suppliers(db).where('id', '=', id).executeTakeFirst()
    return row && { ...row, logs: await logsOf(db, 'Supplier', id) }
  },
  async create(tx, { updated_at: _, ...input }, actor) {
    const { id } = await tx.insertInto('supplier').values(input).returning('id').executeTakeFirstOrThrow()
    await recordChanges(tx, { userId: actor.id }, 'Supplier', id, null, logged(input))
    return { id, warning: numberWarning(`Supplier #${id} created.`, input) }
  },
  async edit(tx, id, input, actor) {
    const { before, after, isChanged } = await edited(tx, SupplierInput, {
      name: `Supplier #${id}`,
      row: await suppliers(tx).where('id', '=', id).forNoKeyUpdate().executeTakeFirst(),
      sent: input,
      logged: { type: 'Supplier', id },
    })
    if (!isChanged) return { id }
    await tx.updateTable('supplier').set(after).where('id', '=', id).execute()
    await recordChanges(tx, { userId: actor.id }, 'Supplier', id, logged(before), logged(after))
    return { id, warning: numberWarning(`Supplier #${id} saved.`, after) }
  },
  async remove(tx, id, actor) {
    const before = found(await suppliers(tx).where('id', '=', id).forUpdate().executeTakeFirst(), `Supplier #${id}`)
    await refuseUsed(tx, `Supplier #${id}`, id, [
      ['stock', 'supplier_id', 'stock item'],
      ['supplier_claim', 'supplier_id', 'supplier claim'],
      ['delivery_check', 'supplier_id', 'delivery check'],
      ['purchase_receipt', 'supplier_id', 'purchase receipt'],
    ])
    await tx.deleteFrom('supplier').where('id', '=', id).execute()
    await recordMessage(tx, { userId: actor.id }, 'Supplier', id, `Supplier ${before.company_name} was deleted.`)
  },
}
