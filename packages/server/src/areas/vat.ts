import type { VatTypeTreatment } from '@backstock/contract/treatment.ts'
import { Vat, VatInput, VatQuery } from '@backstock/contract/vat.ts'
import { type RateHundredths, vatDisplayName } from '@backstock/contract/vat-rate.ts'
import type { Db } from '../db/connect.ts'
import { humanOrder, page } from '../db/page.ts'
import { fieldsOf, found, type WritableCrud } from '../http/crud.ts'
import { edited } from '../records/edited.ts'
import { refuseUsed } from '../records/used.ts'

const rates = (db: Db) =>
  db.selectFrom('vat').select(['id', ...fieldsOf(VatInput), 'created_at', 'updated_at', 'updated_by'])

type StoredVat = { name: string; rate: RateHundredths; treatment: VatTypeTreatment }
const onTheWire = <Row extends StoredVat>(row: Row) => ({
  ...row,
  treatment: row.rate === 0 && row.treatment === 'standard' ? null : row.treatment,
  rate: row.rate / 100,
  display_name: vatDisplayName(row.name, row.rate),
})

type Typed = Pick<VatInput, 'rate' | 'treatment' | 'exemption_text' | 'exemption_code'>

/**
 * The fields in the form of the table. A rate above 0 is standard; so is a rate of 0, as long as nobody has set its
 * meaning.
 */
function inTheTable<Fields extends Typed>({ treatment: said, exemption_text, exemption_code, ...fields }: Fields) {
  const rate: RateHundredths = Math.round(fields.rate * 100)
  const treatment = rate > 0 ? 'standard' : (said ?? 'standard')
  const isExempt = treatment === 'exempt'
  return {
    ...{ ...fields, rate, treatment },
    exemption_text: isExempt ? (exemption_text ?? null) : null,
    exemption_code: isExempt ? (exemption_code ?? null) : null,
  }
}

export const vat: WritableCrud<typeof VatQuery, typeof VatInput, typeof Vat> = {
  area: 'vat',
  title: 'VAT type',
  query: VatQuery,
  input: VatInput,
  row: Vat,
  record: Vat,
  unique: { vat_name: { field: 'name', message: 'There is already a VAT type with this name.' } },
  access: { write: 'admin' },
  async find(db, query) {
    const sort = { id: 'vat.id', name: humanOrder('vat.name'), rate: 'vat.rate' }
    const { rows, total } = await page(rates(db), query, { table: 'vat', sort })
    return { rows: rows.map(onTheWire), total }
  },
  async one(db, id) {
    const row = await rates(db).where('id', '=', id).executeTakeFirst()
    return row && onTheWire(row)
  },
  create: (tx, { updated_at: _, ...input }) =>
    tx.insertInto('vat').values(inTheTable(input)).returning('id').executeTakeFirstOrThrow(),
  async edit(tx, id, input, actor) {
    const row = await rates(tx).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
    const name = `VAT type #${id}`
    const { after, isChanged } = await edited(tx, VatInput, { name, row: row && onTheWire(row), sent: input })
    if (!isChanged) return { id }
    await tx
      .updateTable('vat')
      .set({ ...inTheTable(after), updated_by: actor.id })
      .where('id', '=', id)
      .execute()
    return { id }
  },
  async remove(tx, id) {
    found(await rates(tx).where('id', '=', id).forUpdate().executeTakeFirst(), `VAT type #${id}`)
    await refuseUsed(tx, `VAT type #${id}`, id, [
      ['stock', 'vat_id', 'stock item'],
      ['sale_item', 'vat_id', 'sale item'],
    ])
    await tx.deleteFrom('vat').where('id', '=', id).execute()
  },
}
