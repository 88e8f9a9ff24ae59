import type { InvoiceLanguage } from '@backstock/contract/invoice-language.ts'
import { extractText, getDocumentProxy } from 'unpdf'
import { type InvoiceData, invoiceAddress } from '../render/invoice/data.ts'
import { renderInvoice } from '../render/invoice/pdf.ts'
import type { Mark } from '../render/invoice/texts.ts'

const address = (address_1: string, postal_code: string, city: string, country_code: string) =>
  invoiceAddress({ address_1, address_2: null, city, postal_code, state: null, country_code, country: null })

/** The data of an invoice with `lines` devices, in the form that invoices had before credit notes existed. */
export function invoice(lines: number, changes: Partial<InvoiceData> = {}): InvoiceData {
  return {
    number: '2026-00042',
    issued_on: '2026-03-18',
    supplied_on: '2026-03-17',
    sale_id: 12,
    reference_number: 'PO-88123',
    currency: 'EUR',
    prices_include_vat: false,
    seller: {
      name: 'Backstock Trading Ltd',
      address: address('12 Harbour Road', 'D01 F5P2', 'Dublin', 'IE'),
      vat_number: 'IE1234567T',
      email: 'sales@backstock.test',
      phone: null,
      bank: { name: 'Bank of Ireland', iban: 'IE29AIBK93115212345678', bic: 'AIBKIE2D' },
      logo: null,
      payment_days: 14,
      payment_terms: 'Goods remain ours until paid.',
    },
    buyer: {
      name: 'Γιώργος Παπαδόπουλος',
      company_name: 'Łucja Żółć Sp. z o.o.',
      vat_number: 'PL5260250274',
      email: 'lucja@example.test',
      billing_address: address('ul. Długa 5', '00-238', 'Warszawa', 'PL'),
      delivery_address: address('ul. Portowa 9', '80-001', 'Gdańsk', 'PL'),
    },
    lines: Array.from({ length: lines }, (_, index) => ({
      position: index + 1,
      description: `Apple iPhone 13 ${index}`,
      imei: index % 5 === 4 ? null : String(356_938_035_643_809 + index),
      serial_number: index % 5 === 4 ? `F2LZK${100_000 + index}` : null,
      net: 12_345,
      price: 15_184,
      vat_rate: 2300,
    })),
    vat_totals: [{ rate: 2300, net: 12_345 * lines, vat: Math.round(12_345 * lines * 0.23) }],
    total_net: 12_345 * lines,
    total_vat: Math.round(12_345 * lines * 0.23),
    total_gross: 12_345 * lines + Math.round(12_345 * lines * 0.23),
    ...changes,
  }
}

export async function rendered(data: InvoiceData, lang: InvoiceLanguage, mark?: Mark): Promise<Buffer> {
  const kept = { number: data.number, data: JSON.stringify(data), logo: data.seller.logo }
  return (await renderInvoice(kept, lang, mark)).pdf
}

/** The text of each page of a PDF, with one space between words. */
export async function textOf(pdf: Buffer): Promise<string[]> {
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(pdf)))
  return text.map((page) => page.replace(/\s+/g, ' '))
}
