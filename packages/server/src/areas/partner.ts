import { createHash, randomBytes } from 'node:crypto'
import { writeAnswer } from '@backstock/contract/answer.ts'
import { Partner, PartnerInput, PartnerQuery } from '@backstock/contract/partner.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Database, Db, Tx } from '../db/connect.ts'
import { humanOrder, page } from '../db/page.ts'
import { done } from '../http/answer.ts'
import { type Crud, crud, fieldsOf, found, IdParams } from '../http/crud.ts'
import type { App } from '../http/typed-routes.ts'
import { edited } from '../records/edited.ts'
import { refuseUsed } from '../records/used.ts'

const partners = (db: Db) =>
  db
    .selectFrom('partner')
    .select([
      'id',
      ...fieldsOf(PartnerInput),
      sql<
        string | null
      >`(select first_name || ' ' || last_name from customer where customer.id = partner.customer_id)`.as(
        'customer_name',
      ),
      sql<boolean>`exists (select from partner_key k where k.partner_id = partner.id and k.revoked_at is null)`.as(
        'has_key',
      ),
      'created_at',
      'updated_at',
      'updated_by',
    ])

const partner: Crud<typeof PartnerQuery, typeof PartnerInput, typeof Partner> = {
  area: 'partner',
  title: 'Partner',
  query: PartnerQuery,
  input: PartnerInput,
  row: Partner,
  record: Partner,
  access: { read: 'admin', write: 'admin' },
  find: (db, query) =>
    page(partners(db), query, { table: 'partner', sort: { id: 'partner.id', name: humanOrder('partner.name') } }),
  one: (db, id) => partners(db).where('id', '=', id).executeTakeFirst(),
  create: (tx, { updated_at: _, ...input }) =>
    tx.insertInto('partner').values(input).returning('id').executeTakeFirstOrThrow(),
  async edit(tx, id, input, actor) {
    const { after, isChanged } = await edited(tx, PartnerInput, {
      name: `Partner #${id}`,
      row: await partners(tx).where('id', '=', id).forNoKeyUpdate().executeTakeFirst(),
      sent: input,
    })
    if (!isChanged) return { id }
    await tx
      .updateTable('partner')
      .set({ ...after, updated_by: actor.id })
      .where('id', '=', id)
      .execute()
    return { id }
  },
  async remove(tx, id) {
    const before = found(await partners(tx).where('id', '=', id).forUpdate().executeTakeFirst(), `Partner #${id}`)
    const uses = [
      ['sale', 'partner_id', 'sale'],
      ['stock', 'partner_id', 'stock item'],
      ['import', 'partner_id', 'import'],
    ] as const
    await refuseUsed(tx, `Partner #${id}`, id, uses, before.has_key ? 'To end its access, revoke its key.' : '')
    await tx.deleteFrom('partner').where('id', '=', id).execute()
  },
}

/** Revokes the key that a partner has, if there is one. Throws 404. */
async function revokeKey(tx: Tx, partnerId: number): Promise<void> {
  found(
    await tx.selectFrom('partner').select('id').where('id', '=', partnerId).forNoKeyUpdate().executeTakeFirst(),
    `Partner #${partnerId}`,
  )
  await tx
    .updateTable('partner_key')
    .set({ revoked_at: sql`now()` })
    .where('partner_id', '=', partnerId)
    .where('revoked_at', 'is', null)
    .execute()
}

/**
 * Gives a partner a new key and revokes the old one. The server stores only a hash, so nobody can read the key again
 * after this answer.
 */
async function generateKey(tx: Tx, partnerId: number): Promise<string> {
  await revokeKey(tx, partnerId)
  const key = `bsk_${randomBytes(32).toString('base64url')}`
  await tx
    .insertInto('partner_key')
    .values({ partner_id: partnerId, hash: createHash('sha256').update(key).digest() })
    .execute()
  return key
}

const NewKey = writeAnswer(z.string())
const Revoked = writeAnswer(Partner)

/** The routes of partners and their keys, for administrators. */
export function partnerRoutes(app: App, db: Database): void {
  crud(app, db, partner)
  app.post(
    '/api/partner/:id/generate-token',
    { schema: { params: IdParams, response: { 200: NewKey } }, config: { access: 'admin' } },
    async (request) => {
      const key = await db.write((tx) => generateKey(tx, request.params.id))
      return done('New key generated. It is shown only now; any older one stopped working.', key)
    },
  )
  app.post(
    '/api/partner/:id/revoke-token',
    { schema: { params: IdParams, response: { 200: Revoked } }, config: { access: 'admin' } },
    async (request) => {
      const id = request.params.id
      const data = await db.write(async (tx) => {
        await revokeKey(tx, id)
        return partners(tx).where('id', '=', id).executeTakeFirstOrThrow()
      })
      return done(`Partner #${id} has no key any more.`, data)
    },
  )
}
