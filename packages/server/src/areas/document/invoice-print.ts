import { countryName } from '@backstock/contract/country.ts'
import type { SaleItem } from '@backstock/contract/sale.ts'
import { type Selectable, sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { Buyer, BuyerAddress, Tables } from '../../db/tables.ts'
import { readFile } from '../../records/file.ts'
import { eInvoiceLacks } from '../../render/e-invoice/e-invoice.ts'
import { type InvoiceData, invoiceAddress } from '../../render/invoice/data.ts'
import { canPrint } from '../../render/invoice/font.ts'

/** What a version of an invoice keeps: all that is printed, the logo by its file. */
type PrintedInvoice = InvoiceData & { logo_file_id: number | null }

const address = (parts: BuyerAddress | null) =>
  invoiceAddress(parts && { ...parts, country: countryName(parts.country_code) })

/** All that a sale's invoice prints, as it is now. The sale must have its number. */
export async function printedInvoice(db: Db, saleId: number): Promise<PrintedInvoice> {
  const sale = await db
    .selectFrom('sale as s')
    .innerJoin('invoice as i', 'i.sale_id', 's.id')
    .innerJoin('company as c', (join) => join.onTrue())
    .selectAll('c')
    .select([
      's.id',
      's.buyer',
      's.reference_number',
      's.invoice_number',
      's.prices_include_vat',
      's.total_sales_price',
      's.total_sales_price_vat',
      'i.issued_on',
      's.dispatched_on',
    ])
    .where('s.id', '=', saleId)
    // The logo's file stays until the version that names it is there.
    .forKeyShare('c')
    .executeTakeFirstOrThrow()
  const { buyer } = sale
  return {
    number: sale.invoice_number!,
    issued_on: sale.issued_on,
    supplied_on: sale.dispatched_on,
    sale_id: saleId,
    reference_number: sale.reference_number,
    currency: 'EUR',
    prices_include_vat: sale.prices_include_vat,
    logo_file_id: sale.logo_file_id,
    seller: {
      name: sale.name,
      address: invoiceAddress({ ...sale, country: countryName(sale.country_code) }),
      vat_number: sale.vat_number,
      email: sale.email,
      phone: sale.phone,
      bank: { name: sale.bank_name, iban: sale.iban, bic: sale.bic },
      logo: null,
      payment_days: sale.payment_days,
      payment_terms: sale.payment_terms,
    },
    buyer: {
      name: buyer.full_name,
      company_name: buyer.company_name,
      vat_number: buyer.vat_number,
      email: buyer.email,
      billing_address: address(buyer.billing_address),
      delivery_address: address(buyer.delivery_address),
    },
    lines: await soldLines(db, saleId),
    vat_totals: await vatTotals(db, saleId),
    total_net: sale.total_sales_price,
    total_vat: sale.total_sales_price_vat - sale.total_sales_price,
    total_gross: sale.total_sales_price_vat,
  }
}

/** The lines that the sale's totals count: all but those that a resubmission took off. */
async function soldLines(db: Db, saleId: number): Promise<InvoiceData['lines']> {
  const lines = await db
    .selectFrom('sale_item')
    .leftJoin('vat', 'vat.id', 'sale_item.vat_id')
    .selectAll('sale_item')
    .select('vat.exemption_text')
    .where('sale_id', '=', saleId)
    .where(sql<boolean>`released is distinct from 'removed'`)
    .orderBy('position')
    .execute()
  return lines.map((line, index) => ({
    position: index + 1,
    description: line.product_name,
    imei: line.imei,
    serial_number: line.serial_number,
    net: line.sales_price,
    price: line.sales_price_vat ?? line.sales_price,
    vat_rate: line.vat_rate,
    treatment: line.vat_treatment,
    ...ownReason(line),
  }))
}

type Untaxed = Pick<Selectable<Tables['sale_item']>, 'vat_rate' | 'vat_treatment' | 'vat_name'> & {
  exemption_text: string | null
}

/** The trader's own reason for no VAT: that of the exemption, else what the VAT type is called. */
function ownReason({ vat_rate, vat_treatment, vat_name, exemption_text }: Untaxed): { vat_name?: string } {
  const reason = (vat_treatment === 'exempt' && exemption_text) || vat_name
  return vat_rate === 0 && vat_treatment !== 'zero' && /\p{L}/u.test(reason ?? '') ? { vat_name: reason! } : {}
}

function vatTotals(db: Db, saleId: number): Promise<InvoiceData['vat_totals']> {
  return db
    .selectFrom('sale_vat')
    .select(['treatment', 'rate', 'net', 'vat'])
    .where('sale_id', '=', saleId)
    .orderBy('rate', 'desc')
    .execute()
}

/** The logo that a kept version names, as a data URL. */
export async function logoOf(db: Db, fileId: number): Promise<string> {
  const { media_type, content } = await readFile(db, fileId)
  return `data:${media_type};base64,${content.toString('base64')}`
}

/**
 * What the seller's profile and the buyer lack for a complete invoice (Council Directive 2006/112/EC, article 226),
 * and what cannot be printed, in words. It blocks nothing.
 */
export async function missingInvoiceData(db: Db, buyer: Buyer): Promise<string[]> {
  const seller = await db
    .selectFrom('company')
    .select(['name', 'address_1', 'address_2', 'city', 'state', 'postal_code', 'country_code', 'vat_number', 'iban'])
    .executeTakeFirstOrThrow()
  const sellerAddress = seller.address_1 && seller.city && seller.postal_code && seller.country_code
  const { full_name, company_name, billing_address, delivery_address } = buyer
  const buyerNames = { full_name, company_name, ...billing_address }
  return [
    ...(sellerAddress ? [] : ['the seller’s address']),
    ...(seller.vat_number ? [] : ['the seller’s VAT number']),
    ...(seller.iban ? [] : ['the seller’s bank account']),
    ...(billing_address || delivery_address ? [] : ['the buyer’s address']),
    ...(company_name && !buyer.vat_number ? ['the buyer’s VAT number'] : []),
    ...(allPrintable(seller) ? [] : ['letters of the seller’s name or address']),
    ...(allPrintable(buyerNames) && allPrintable({ ...delivery_address })
      ? []
      : ['letters of the buyer’s name or address']),
  ]
}

/** What the PDF lacks to have an e-invoice inside, as things are now. */
export async function missingXmlData(db: Db, buyer: Buyer, lines: readonly SaleItem[]): Promise<string[]> {
  const seller = await db
    .selectFrom('company')
    .select(['address_1', 'address_2', 'city', 'state', 'postal_code', 'country_code', 'vat_number'])
    .executeTakeFirstOrThrow()
  return eInvoiceLacks({
    seller: { address: invoiceAddress({ ...seller, country: null }), vat_number: seller.vat_number },
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

const allPrintable = (texts: Record<string, string | null>) =>
  Object.values(texts).every((text) => text === null || canPrint(text))
