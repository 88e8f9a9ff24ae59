import type { InvoiceLanguage } from '@backstock/contract/invoice-language.ts'
import type { PurchaseReceipt, PurchaseReceiptQuery, PurchaseReceiptRow } from '@backstock/contract/purchase-receipt.ts'
import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { type Found, page } from '../../db/page.ts'
import { single } from '../../lists.ts'
import type { ReceiptData } from '../../render/paper/purchase-receipt.ts'

const receiptRows = (db: Db) =>
  db.selectFrom('purchase_receipt').select([
    'purchase_receipt.id',
    'purchase_receipt.printed as number',
    'purchase_receipt.kind',
    'purchase_receipt.issued_on',
    'purchase_receipt.bought_on',
    'purchase_receipt.supplier_id',
    sql<string | null>`(select company_name from supplier where id = purchase_receipt.supplier_id)`.as('supplier_name'),
    'purchase_receipt.seller_name',
    'purchase_receipt.currency',
    'purchase_receipt.total',
    'purchase_receipt.items as items_count',
    sql<InvoiceLanguage>`purchase_receipt.lang`.as('lang'),
    sql<PurchaseReceiptRow['file_state']>`(select status from purchase_receipt_file f
        where f.receipt_id = purchase_receipt.id and f.lang = purchase_receipt.lang)`.as('file_state'),
    'purchase_receipt.cancels_id',
    sql<string | null>`(select printed from purchase_receipt c where c.id = purchase_receipt.cancels_id)`.as(
      'cancels_number',
    ),
    sql<number | null>`(select id from purchase_receipt c where c.cancels_id = purchase_receipt.id)`.as(
      'cancelled_by_id',
    ),
    sql<string | null>`(select printed from purchase_receipt c where c.cancels_id = purchase_receipt.id)`.as(
      'cancelled_by_number',
    ),
    'purchase_receipt.created_at',
  ])

export function findReceipts(db: Db, query: PurchaseReceiptQuery): Promise<Found<PurchaseReceiptRow>> {
  const { kind, supplier_id, stock_id, from, to } = query
  return page(receiptRows(db), query, {
    table: 'purchase_receipt',
    sort: { id: 'purchase_receipt.id', issued_on: 'purchase_receipt.issued_on', total: 'purchase_receipt.total' },
    where: (receipts) => {
      let found = receipts
      if (kind) found = found.where(sql<boolean>`purchase_receipt.kind = any(${kind}::text[])`)
      if (supplier_id) found = found.where(sql<boolean>`purchase_receipt.supplier_id = any(${supplier_id}::int[])`)
      if (stock_id)
        found = found.where(
          sql<boolean>`purchase_receipt.id in (select receipt_id from purchase_receipt_line where stock_id = any(${stock_id}::int[]))`,
        )
      if (from) found = found.where(sql<boolean>`purchase_receipt.issued_on >= ${from}::date`)
      if (to) found = found.where(sql<boolean>`purchase_receipt.issued_on <= ${to}::date`)
      return found
    },
  })
}

export async function receiptOf(db: Db, id: number): Promise<PurchaseReceipt | undefined> {
  const row = await receiptRows(db)
    .select([
      sql<ReceiptData['seller']>`purchase_receipt.data -> 'seller'`.as('seller'),
      sql<ReceiptData['paid_by']>`purchase_receipt.data ->> 'paid_by'`.as('paid_by'),
      'purchase_receipt.reason',
      sql<string | null>`(select name from app_user where id = purchase_receipt.created_by)`.as('created_by_name'),
    ])
    .where('purchase_receipt.id', '=', id)
    .executeTakeFirst()
  if (!row) return undefined
  const { rows: lines } = await sql<PurchaseReceipt['lines'][number]>`
    select l.stock_id, l.description, l.imei, l.serial_number, l.price,
      case when s.purchase_currency = ${row.currency} then s.purchase_price end as price_now
    from purchase_receipt_line l join stock s on s.id = l.stock_id
    where l.receipt_id = ${id} order by l.position`.execute(db)
  const { rows: files } = await sql<PurchaseReceipt['files'][number]>`
    select p.lang, p.status as state, p.error, encode(f.sha256, 'hex') as sha256
    from purchase_receipt_file p left join file f on f.id = p.file_id
    where p.receipt_id = ${id} order by p.lang <> ${row.lang}, p.created_at, p.lang`.execute(db)
  const { address, ...seller } = row.seller
  const country = address.country === null ? [] : [address.country]
  return {
    ...row,
    seller: { ...seller, address: [...address.lines, ...country], country_code: address.country_code },
    lines,
    files,
  }
}

type Kept = {
  data: ReceiptData
  lang: InvoiceLanguage
  supplier_id: number | null
  logo_file_id: number | null
  stock_ids: number[]
}

/** The stored data of a receipt with the items of its lines. Receipts never change, so no lock is needed. */
export async function receiptData(db: Db, id: number): Promise<Kept | undefined> {
  const { rows } = await sql<Kept>`
    select data, lang, supplier_id, logo_file_id,
      array(select stock_id from purchase_receipt_line where receipt_id = r.id order by position) as stock_ids
    from purchase_receipt r where id = ${id}`.execute(db)
  return rows.length === 0 ? undefined : single(rows)
}

/** The file of a receipt in a language; undefined if it is not made. */
export async function receiptFile(db: Db, id: number, lang: InvoiceLanguage): Promise<number | undefined> {
  const { rows } = await sql<{ file_id: number | null }>`
    select file_id from purchase_receipt_file where receipt_id = ${id} and lang = ${lang}`.execute(db)
  return rows[0]?.file_id ?? undefined
}
