import { countryName } from '@backstock/contract/country.ts'
import { LACKING_SIDES, type Lacks, type ProfileLacks } from '@backstock/contract/lacks.ts'
import type { SaleItem } from '@backstock/contract/sale.ts'
import { leftOf, type SoldLine } from '@backstock/contract/sale-total.ts'
import { isSuppliedWhenIssued } from '@backstock/contract/supply-day.ts'
import { type Selectable, sql } from 'kysely'
import type { Db, Tx } from '../../db/connect.ts'
import type { Buyer, BuyerAddress, Tables } from '../../db/tables.ts'
import { zip } from '../../lists.ts'
import { readFile } from '../../records/file.ts'
import { eInvoiceLacksOf } from '../../render/e-invoice/e-invoice.ts'
import { profileLacksOf } from '../../render/e-invoice/profile.ts'
import { invoiceAddress } from '../../render/invoice/data.ts'
import { canPrint } from '../../render/invoice/font.ts'
import type { DocumentFacts, DocumentLine } from './facts.ts'

const address = (parts: BuyerAddress | null) =>
  invoiceAddress(parts && { ...parts, country: countryName(parts.country_code) })

/** The contents of a sale's invoice in the present state of the sale; undefined if every item has come back. */
export async function invoiceFacts(tx: Tx, saleId: number): Promise<DocumentFacts | undefined> {
  const sale = await tx
    .selectFrom('sale as s')
    .innerJoin('company as c', (join) => join.onTrue())
    .selectAll('c')
    .select(['s.customer_id', 's.buyer', 's.reference_number', 's.prices_include_vat', 's.dispatched_on'])
    // The days that were agreed on the day of the sale come first.
    .select(sql<number>`coalesce(s.payment_days, c.payment_days)`.as('days'))
    .select(sql<Uppercase<string> | null>`s.treatment_route -> 'rule' ->> 'series'`.as('rules_series'))
    .where('s.id', '=', saleId)
    // The lock keeps the logo's file until the version that refers to it is stored.
    .forKeyShare('c')
    .executeTakeFirstOrThrow()
  const { buyer } = sale
  const sold = await soldLines(tx, saleId)
  if (sold.length === 0) return undefined
  const { lines: left, totals } = leftOf(sold, sale.prices_include_vat)
  const lines = zip(sold, left).map(([line, priced], n): DocumentLine => {
    const { stock_id, treatment, rate, margin_rate } = line
    return { stock_id, position: n + 1, treatment, rate, margin_rate, ...priced }
  })
  return {
    customer_id: sale.customer_id,
    buyer_name: buyer.company_name ?? buyer.full_name,
    buyer_country: (buyer.billing_address ?? buyer.delivery_address)?.country_code ?? null,
    buyer_vat_number: buyer.vat_number,
    due_days: sale.days,
    own_series: lines.every(({ treatment }) => treatment === 'reverse_charge') ? sale.rules_series : null,
    is_supplied_when_issued: isSuppliedWhenIssued(sale.supply_day, sale.country_code),
    lines,
    vat: totals.vat,
    data: {
      kind: 'invoice',
      ...(buyer.e_invoice_profile && { profile: buyer.e_invoice_profile }),
      supplied_on: sale.dispatched_on,
      sale_id: saleId,
      reference_number: sale.reference_number,
      currency: 'EUR',
      prices_include_vat: sale.prices_include_vat,
      group_lines: sale.group_invoice_lines,
      logo_file_id: sale.logo_file_id,
      seller: {
        name: sale.name,
        address: invoiceAddress({ ...sale, country: countryName(sale.country_code) }),
        vat_number: sale.vat_number,
        tax_number: sale.tax_number,
        registration: sale.registration,
        email: sale.email,
        phone: sale.phone,
        ...(sale.contact_name !== null && { contact: sale.contact_name }),
        ...(sale.electronic_address !== null && { electronic_address: sale.electronic_address }),
        bank: { name: sale.bank_name, iban: sale.iban, bic: sale.bic },
        logo: null,
        payment_days: sale.days,
        payment_terms: sale.payment_terms,
      },
      buyer: {
        name: buyer.full_name,
        company_name: buyer.company_name,
        vat_number: buyer.vat_number,
        registration: buyer.registration ?? null,
        email: buyer.email,
        ...(buyer.buyer_reference && { reference: buyer.buyer_reference }),
        ...(buyer.electronic_address && { electronic_address: buyer.electronic_address }),
        billing_address: address(buyer.billing_address),
        delivery_address: address(buyer.delivery_address),
      },
      lines: zip(lines, sold).map(([{ position, net, price }, line]) => ({
        position,
        description: line.product_name,
        imei: line.imei,
        serial_number: line.serial_number,
        ...(line.grade !== null && { grade: line.grade }),
        net,
        price,
        vat_rate: line.rate,
        treatment: line.treatment,
        ...ownReason(line),
      })),
      vat_totals: totals.vat,
      total_net: totals.total_sales_price,
      total_vat: totals.total_sales_price_vat - totals.total_sales_price,
      total_gross: totals.total_sales_price_vat,
    },
  }
}

type PrintedLine = SoldLine &
  Untaxed &
  Pick<Selectable<Tables['sale_item']>, 'stock_id' | 'product_name' | 'imei' | 'serial_number' | 'grade'>

/**
 * The lines of an invoice: those with an open price, and free items. Lines that a resubmission took off are left out. A
 * returned line is there only if the shop kept a part of its price, and only if no replaced invoice still asks for that
 * part. If the supplier gives a credit after a draft was made, the credit counts on its own day: the draft keeps the
 * cost of the draft's day.
 */
async function soldLines(tx: Tx, saleId: number): Promise<PrintedLine[]> {
  const { rows } = await sql<PrintedLine>`
    select l.stock_id, l.sold as price, l.vat_rate as rate, l.vat_treatment as treatment, l.returned_price, l.allowed_price,
      l.bought - coalesce((select sum(p.purchase) from document d join purchase_correction p on p.document_id = d.id
        where d.sale_id = l.sale_id and d.replaced_by_id is null and d.left_at is null and p.stock_id = l.stock_id), 0)::int as cost,
      l.margin_rate, i.product_name, i.imei, i.serial_number, i.grade, i.vat_name, i.exemption_text, i.exemption_code
    from sale_line_left l join sale_item i using (sale_id, stock_id)
    where l.sale_id = ${saleId} and (not l.is_back or l.price > 0 and not exists (
      select from document d join document_line o on o.document_id = d.id
      where d.sale_id = l.sale_id and d.asks_still and o.stock_id = l.stock_id and o.price > o.credited))
    order by l.position`.execute(tx)
  return rows
}

type Untaxed = Pick<SoldLine, 'rate' | 'treatment'> & {
  vat_name: string | null
  exemption_text: string | null
  exemption_code: string | null
}

/** The shop's own reason why a line has no VAT: the text and code of its exemption, else the name of its VAT type. */
function ownReason({ rate, treatment, vat_name, exemption_text, exemption_code }: Untaxed): {
  vat_name?: string
  exemption_code?: string
} {
  const reason = (treatment === 'exempt' && exemption_text) || vat_name
  return {
    ...(rate === 0 && treatment !== 'zero' && reason !== null && /\p{L}/u.test(reason) && { vat_name: reason }),
    ...(treatment === 'exempt' && exemption_code !== null && { exemption_code }),
  }
}

/** The logo that a stored version refers to, as a data URL. */
export async function logoOf(db: Db, fileId: number): Promise<string> {
  const { media_type, content } = await readFile(db, fileId)
  return `data:${media_type};base64,${content.toString('base64')}`
}

/** All missing data in one list. */
const flat = (lacks: Lacks): string[] => Object.values(lacks).flat()

/** The facts of the seller that an invoice needs. */
export type InvoicingSeller = Pick<
  Selectable<Tables['company']>,
  | 'name'
  | 'address_1'
  | 'address_2'
  | 'city'
  | 'state'
  | 'postal_code'
  | 'country_code'
  | 'vat_number'
  | 'tax_number'
  | 'registration'
  | 'email'
  | 'phone'
  | 'electronic_address'
  | 'iban'
  | 'payment_terms'
>

/** SQL for these facts, as a column of a query with the table `company`. */
export const sellersFacts = sql<InvoicingSeller>`to_jsonb(company)`

export async function invoicingSeller(db: Db): Promise<InvoicingSeller> {
  return (await db.selectFrom('company').select(sellersFacts.as('seller')).executeTakeFirstOrThrow()).seller
}

/** The facts that a sale's invoice lacks, in words. The invoice can be made without them. */
export const missingInvoiceData = (seller: InvoicingSeller, buyer: InvoicedBuyer) => flat(invoiceLacks(seller, buyer))

/** The facts of a buyer that an invoice needs. */
export type InvoicedBuyer = Pick<
  Buyer,
  'full_name' | 'company_name' | 'vat_number' | 'billing_address' | 'delivery_address'
> &
  Partial<Pick<Buyer, 'email' | 'registration' | 'e_invoice_profile' | 'buyer_reference' | 'electronic_address'>>
type TaxedLine = Pick<SaleItem, 'vat_treatment' | 'vat_rate' | 'vat_name'>

/**
 * The facts that an invoice needs (Council Directive 2006/112/EC, article 226) and that the seller's profile or the
 * buyer lacks. Texts that cannot be printed are named too.
 */
export function invoiceLacks(seller: InvoicingSeller, buyer: InvoicedBuyer): Lacks {
  const { name, address_1, address_2, city, state, postal_code, country_code, vat_number, tax_number, iban } = seller
  const sellerAddress = address_1 && city && postal_code && country_code
  const sellerPlace = { name, address_1, address_2, city, state, postal_code, country_code }
  const { full_name, company_name, billing_address, delivery_address } = buyer
  const buyerNames = { full_name, company_name, ...billing_address }
  return {
    seller: [
      ...(sellerAddress ? [] : ['the seller’s address']),
      ...(vat_number || tax_number ? [] : ['the seller’s VAT number']),
      ...(iban ? [] : ['the seller’s bank account']),
      ...(allPrintable({ ...sellerPlace, vat_number, tax_number, iban })
        ? []
        : ['the seller’s name or address in letters that an invoice can print']),
    ],
    buyer: [
      ...(billing_address || delivery_address ? [] : ['the buyer’s address']),
      ...(company_name && !buyer.vat_number ? ['the buyer’s VAT number'] : []),
      ...(allPrintable(buyerNames) && allPrintable({ ...delivery_address })
        ? []
        : ['the buyer’s name or address in letters that an invoice can print']),
    ],
    items: [],
  }
}

/** The facts that an e-invoice inside the PDF needs, and that the seller, the buyer or the lines lack. */
export function xmlLacks(seller: InvoicingSeller, buyer: InvoicedBuyer, lines: readonly TaxedLine[]): Lacks {
  return eInvoiceLacksOf({
    seller: { ...seller, address: invoiceAddress({ ...seller, country: null }) },
    buyer: {
      billing_address: address(buyer.billing_address),
      delivery_address: address(buyer.delivery_address),
      vat_number: buyer.vat_number,
    },
    lines: lines.map(({ vat_treatment, vat_rate, vat_name }) => ({
      treatment: vat_treatment,
      vat_rate,
      ...(vat_name && { vat_name }),
    })),
  })
}

/** The facts that a sale's invoice lacks as of now, and the pages on which they can be filled in. */
export function missingData(
  seller: InvoicingSeller,
  buyer: InvoicedBuyer,
  lines: readonly TaxedLine[],
  reference: string | null,
) {
  const invoice = invoiceLacks(seller, buyer)
  const xml = xmlLacks(seller, buyer, lines)
  const profile = profileLacks(seller, buyer, lines, reference)
  return {
    missing_invoice_data: flat(invoice),
    missing_xml_data: flat(xml),
    missing_profile_data: profile,
    missing_sides: LACKING_SIDES.filter((side) =>
      [invoice, xml, profile].some((lacks) => lacks && lacks[side].length > 0),
    ),
  }
}

/**
 * The facts that the profile of e-invoices demands and that the seller, the buyer or the lines lack; null if the buyer
 * asks for no profile. `reference` is that of the sale.
 */
export function profileLacks(
  seller: InvoicingSeller,
  buyer: InvoicedBuyer,
  lines: readonly TaxedLine[],
  reference: string | null,
): ProfileLacks {
  const { e_invoice_profile: profile, buyer_reference, electronic_address } = buyer
  if (!profile) return null
  const { electronic_address: own, iban, ...rest } = seller
  const lacks = profileLacksOf(profile, {
    reference_number: reference,
    total_gross: 0,
    seller: {
      ...rest,
      ...(own !== null && { electronic_address: own }),
      address: invoiceAddress({ ...seller, country: null }),
      bank: { iban },
    },
    buyer: {
      ...{ email: buyer.email ?? null, registration: buyer.registration ?? null },
      ...(buyer_reference && { reference: buyer_reference }),
      ...(electronic_address && { electronic_address }),
      billing_address: address(buyer.billing_address),
      delivery_address: address(buyer.delivery_address),
    },
    lines: lines.map(({ vat_treatment, vat_rate }) => ({ treatment: vat_treatment, vat_rate })),
  })
  return { profile, ...lacks }
}

const allPrintable = (texts: Record<string, string | null>) =>
  Object.values(texts).every((text) => text === null || canPrint(text))
