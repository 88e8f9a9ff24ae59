import { saleTotals } from '@backstock/contract/sale-total.ts'
import { TREATMENTS, type Treatment } from '@backstock/contract/treatment.ts'
import fc from 'fast-check'
import { getDocumentProxy } from 'unpdf'
import { describe, expect, test } from 'vitest'
import { XmlDocument, type XmlElement } from 'xmldoc'
import { type InvoiceData, invoiceAddress } from '../invoice/data.ts'
import { renderInvoice } from '../invoice/pdf.ts'
import { cii } from './cii.ts'
import { eInvoiceLacks, eInvoiceOf } from './e-invoice.ts'
import { ubl } from './ubl.ts'

type Taxed = Exclude<Treatment, 'none'>
type Line = { treatment: Taxed; price: number }
const RATE = 2100

const NOWHERE = { address_1: null, address_2: null, state: null, country: null }
const place = (city: string, country_code: string) =>
  invoiceAddress({
    address_1: '1 Street',
    address_2: null,
    city,
    postal_code: '1000',
    state: null,
    country_code,
    country: null,
  })

/** An invoice of these lines, with totals as a sale has them. */
function invoice(lines: Line[], gross = false, changes: Partial<InvoiceData> = {}): InvoiceData {
  const priced = lines.map(({ treatment, price }) => ({ treatment, price, rate: treatment === 'standard' ? RATE : 0 }))
  const totals = saleTotals(priced, gross)
  return {
    ...{
      number: '2026-00042',
      issued_on: '2026-03-18',
      supplied_on: null,
      sale_id: 12,
      reference_number: 'PO "8" & <1>',
    },
    ...{ currency: 'EUR', prices_include_vat: gross },
    seller: {
      ...{ name: 'Tweede Leven B.V.', address: place('Rotterdam', 'NL'), vat_number: 'NL 8104.33941.B01', logo: null },
      ...{ email: 'sales@shop.test', phone: '+31 10 1', payment_days: 14, payment_terms: 'Soon.' },
      bank: { name: null, iban: 'NL91 ABNA 0417 1643 00', bic: 'ABNANL2A' },
    },
    buyer: {
      ...{
        name: 'Jörg Schäfer',
        company_name: 'Schäfer & Söhne\u0007 GmbH',
        vat_number: 'DE136695976',
        email: 'j@s.test',
      },
      ...{ billing_address: place('Berlin', 'DE'), delivery_address: null },
    },
    lines: priced.map(({ treatment, price, rate }, n) => ({
      ...{ position: n + 1, description: `Phone ${n}`, imei: `35${n}`, serial_number: null, vat_rate: rate, treatment },
      ...{ net: totals.lines[n]!.sales_price, price, ...(treatment === 'exempt' && { vat_name: 'Small business' }) },
    })),
    vat_totals: totals.vat,
    total_net: totals.total_sales_price,
    total_vat: totals.total_sales_price_vat - totals.total_sales_price,
    total_gross: totals.total_sales_price_vat,
    ...changes,
  }
}

/** The figures of an XML in either syntax, in hundredths. */
type Read = {
  lines: { net: number; category: string; rate: number }[]
  groups: { net: number; vat: number; category: string; rate: number; code?: string; reason?: string }[]
  net: number
  vat: number
  gross: number
  payable: number
  text: (path: string) => string | undefined
}
const cents = (text: string | undefined) => Math.round(Number(text) * 100)
const all = (element: XmlElement, name: string) => element.childrenNamed(name)
const optional = (element: XmlElement, code: string, reason: string) => ({
  ...(element.valueWithPath(code) && { code: element.valueWithPath(code)! }),
  ...(element.valueWithPath(reason) && { reason: element.valueWithPath(reason)! }),
})

function readCii(xml: string): Read {
  const root = new XmlDocument(xml)
  const trade = root.childNamed('rsm:SupplyChainTradeTransaction')!
  const settled = trade.childNamed('ram:ApplicableHeaderTradeSettlement')!
  const sum = (name: string) =>
    cents(settled.valueWithPath(`ram:SpecifiedTradeSettlementHeaderMonetarySummation.ram:${name}`))
  return {
    lines: all(trade, 'ram:IncludedSupplyChainTradeLineItem').map((line) => {
      const of = (path: string) => line.valueWithPath(`ram:SpecifiedLineTradeSettlement.${path}`)!
      return {
        net: cents(of('ram:SpecifiedTradeSettlementLineMonetarySummation.ram:LineTotalAmount')),
        category: of('ram:ApplicableTradeTax.ram:CategoryCode'),
        rate: cents(of('ram:ApplicableTradeTax.ram:RateApplicablePercent')),
      }
    }),
    groups: all(settled, 'ram:ApplicableTradeTax').map((tax) => ({
      net: cents(tax.valueWithPath('ram:BasisAmount')),
      vat: cents(tax.valueWithPath('ram:CalculatedAmount')),
      category: tax.valueWithPath('ram:CategoryCode')!,
      rate: cents(tax.valueWithPath('ram:RateApplicablePercent')),
      ...optional(tax, 'ram:ExemptionReasonCode', 'ram:ExemptionReason'),
    })),
    ...{ net: sum('TaxBasisTotalAmount'), vat: sum('TaxTotalAmount'), gross: sum('GrandTotalAmount') },
    payable: sum('DuePayableAmount'),
    text: (path) => root.valueWithPath(path),
  }
}

function readUbl(xml: string): Read {
  const root = new XmlDocument(xml)
  const sum = (name: string) => cents(root.valueWithPath(`cac:LegalMonetaryTotal.cbc:${name}`))
  return {
    lines: all(root, 'cac:InvoiceLine').map((line) => ({
      net: cents(line.valueWithPath('cbc:LineExtensionAmount')),
      category: line.valueWithPath('cac:Item.cac:ClassifiedTaxCategory.cbc:ID')!,
      rate: cents(line.valueWithPath('cac:Item.cac:ClassifiedTaxCategory.cbc:Percent')),
    })),
    groups: all(root.childNamed('cac:TaxTotal')!, 'cac:TaxSubtotal').map((tax) => ({
      net: cents(tax.valueWithPath('cbc:TaxableAmount')),
      vat: cents(tax.valueWithPath('cbc:TaxAmount')),
      category: tax.valueWithPath('cac:TaxCategory.cbc:ID')!,
      rate: cents(tax.valueWithPath('cac:TaxCategory.cbc:Percent')),
      ...optional(tax, 'cac:TaxCategory.cbc:TaxExemptionReasonCode', 'cac:TaxCategory.cbc:TaxExemptionReason'),
    })),
    ...{ net: sum('TaxExclusiveAmount'), vat: cents(root.valueWithPath('cac:TaxTotal.cbc:TaxAmount')) },
    ...{ gross: sum('TaxInclusiveAmount'), payable: sum('PayableAmount') },
    text: (path) => root.valueWithPath(path),
  }
}

const total = (numbers: number[]) => numbers.reduce((sum, one) => sum + one, 0)
const NO_VAT = ['E', 'AE', 'K', 'G', 'Z']

/** The rules of EN 16931 that our invoices can break, by their names there. */
function broken({ lines, groups, net, vat, gross, payable }: Read, pricesIncludeVat: boolean): string[] {
  const rules: [string, boolean][] = [
    ['BR-16: a line', lines.length > 0],
    ['BR-CO-10: the sum of the lines', total(lines.map((line) => line.net)) === net],
    ['BR-CO-14: the VAT is that of the groups', total(groups.map((group) => group.vat)) === vat],
    ['BR-CO-15: gross is net and VAT', gross === net + vat],
    ['BR-CO-16: payable is gross', payable === gross],
    [
      'BR-S-01, BR-E-01 and so on: one group for each category and rate',
      new Set(groups.map((group) => `${group.category} ${group.rate}`)).size === groups.length,
    ],
    ...groups.flatMap(({ net: base, vat: tax, category, rate, code, reason }): [string, boolean][] => {
      const same = lines.filter((line) => line.category === category && line.rate === rate)
      const exact = (base * rate) / 10_000
      return [
        [`BR-${category}-08: the base is that of its lines`, total(same.map((line) => line.net)) === base],
        [`BR-${category}-09: the VAT of the base`, Math.abs(tax - exact) <= (pricesIncludeVat ? 1 : 0.5)],
        [`BR-${category}-05: the rate`, category === 'S' ? rate > 0 : rate === 0],
        [`BR-${category}-10: the reason`, ['S', 'Z'].includes(category) ? !code && !reason : Boolean(reason)],
        ['a known category', category === 'S' || NO_VAT.includes(category)],
      ]
    }),
  ]
  return rules.filter(([, holds]) => !holds).map(([rule]) => rule)
}

const TAXED = TREATMENTS.filter((one): one is Taxed => one !== 'none')
const anyLine = fc.record<Line>({ treatment: fc.constantFrom(...TAXED), price: fc.integer({ min: 0, max: 2_000_000 }) })

test('both syntaxes say the same as the data, and hold to the rules, whatever is mixed', () => {
  fc.assert(
    fc.property(fc.array(anyLine, { minLength: 1, maxLength: 12 }), fc.boolean(), (lines, gross) => {
      const data = invoice(lines, gross)
      const electronic = eInvoiceOf(data, 'en')!
      const { text: _, ...inCii } = readCii(cii(electronic))
      const { text: __, ...inUbl } = readUbl(ubl(electronic))
      expect(inUbl).toEqual(inCii)
      expect(inCii).toMatchObject({ net: data.total_net, vat: data.total_vat, gross: data.total_gross })
      expect(broken({ ...inCii, text: _ }, gross)).toEqual([])
    }),
    { numRuns: 300 },
  )
})

describe('what an e-invoice says', () => {
  test.each<[Taxed, string, string | undefined]>([
    ['standard', 'S', undefined],
    ['zero', 'Z', undefined],
    ['margin', 'E', 'VATEX-EU-F'],
    ['reverse_charge', 'AE', 'VATEX-EU-AE'],
    ['intra_community', 'K', 'VATEX-EU-IC'],
    ['export', 'G', 'VATEX-EU-G'],
    ['exempt', 'E', undefined],
  ])('%s is category %s', (treatment, category, code) => {
    const { groups } = readCii(cii(eInvoiceOf(invoice([{ treatment, price: 100 }]), 'de')!))
    expect([groups[0]!.category, groups[0]!.code]).toEqual([category, code])
  })

  test('who, when, where to and how to pay, with texts that XML can hold', () => {
    const { text } = readUbl(ubl(eInvoiceOf(invoice([{ treatment: 'intra_community', price: 100 }]), 'de')!))
    const said = {
      'cbc:BuyerReference': 'PO "8" & <1>',
      'cbc:DueDate': '2026-04-01',
      'cac:InvoicePeriod.cbc:StartDate': '2026-03-18', // BR-IC-11
      'cac:AccountingSupplierParty.cac:Party.cac:PartyTaxScheme.cbc:CompanyID': 'NL810433941B01',
      'cac:AccountingCustomerParty.cac:Party.cac:PartyLegalEntity.cbc:RegistrationName': 'Schäfer & Söhne\ufffd GmbH',
      'cac:Delivery.cac:DeliveryLocation.cac:Address.cac:Country.cbc:IdentificationCode': 'DE', // BR-IC-12
      'cac:PaymentMeans.cac:PayeeFinancialAccount.cbc:ID': 'NL91ABNA0417164300',
      'cac:TaxTotal.cac:TaxSubtotal.cac:TaxCategory.cbc:TaxExemptionReason':
        'Innergemeinschaftliche Lieferung, Art. 138 Richtlinie 2006/112/EG / Intracommunautaire levering, art. 138 Richtlijn 2006/112/EG',
    }
    expect(Object.fromEntries(Object.keys(said).map((path) => [path, text(path)]))).toEqual(said)
    const dispatched = invoice([{ treatment: 'intra_community', price: 100 }], false, { supplied_on: '2026-03-20' })
    const there = readUbl(ubl(eInvoiceOf(dispatched, 'de')!))
    expect(there.text('cac:Delivery.cbc:ActualDeliveryDate')).toBe('2026-03-20')
    expect(there.text('cac:InvoicePeriod.cbc:StartDate')).toBeUndefined()
  })

  test('a VAT number that names no country stays out, and no other line passes for the street', () => {
    const data = invoice([{ treatment: 'standard', price: 100 }])
    const address = invoiceAddress({ ...NOWHERE, city: 'Berlin', postal_code: '1000', country_code: 'DE' })
    const buyer = { ...data.buyer, vat_number: '136695976', billing_address: address }
    const { text } = readUbl(ubl(eInvoiceOf({ ...data, buyer }, 'en')!))
    const party = 'cac:AccountingCustomerParty.cac:Party'
    expect(text(`${party}.cac:PartyTaxScheme.cbc:CompanyID`)).toBeUndefined() // BR-CO-09
    expect(text(`${party}.cac:PostalAddress.cbc:StreetName`)).toBeUndefined()
    expect(text(`${party}.cac:PostalAddress.cbc:CityName`)).toBe('Berlin')
  })

  test('there is none where something is lacking, and it says what', () => {
    const data = invoice([{ treatment: 'standard', price: 100 }])
    expect(eInvoiceLacks(data)).toEqual([])
    const lacking = (changes: Partial<InvoiceData>) => {
      const incomplete = { ...data, ...changes }
      expect(eInvoiceOf(incomplete, 'en')).toBeUndefined()
      return eInvoiceLacks(incomplete)
    }
    expect(lacking({ seller: { ...data.seller, vat_number: '810433941' } })).toEqual([
      expect.stringContaining('VAT number'),
    ])
    expect(lacking({ buyer: { ...data.buyer, billing_address: null } })).toEqual(['the buyer’s address'])
    expect(lacking({ lines: data.lines.map((line) => ({ ...line, treatment: 'none' })) })).toHaveLength(1)
    expect(lacking({ lines: data.lines.map(({ treatment: _, ...line }) => line) })).toHaveLength(1)
    // As sales of before treatments have it.
    expect(lacking({ lines: data.lines.map((line) => ({ ...line, vat_rate: 0 })) })).toHaveLength(1)
  })
})

test('the PDF is a PDF/A-3 with the XML inside, and has none where there cannot be one', async () => {
  const data = invoice([
    { treatment: 'margin', price: 20_000 },
    { treatment: 'standard', price: 10_000 },
  ])
  const rendered = (one: InvoiceData) =>
    renderInvoice({ number: one.number, data: JSON.stringify(one), logo: null }, 'nl')
  const pdf = await rendered(data)
  for (const part of [
    '<pdfaid:part>3',
    '<fx:DocumentFileName>factur-x.xml',
    '<pdfaSchema:prefix>fx',
    '/AFRelationship',
  ])
    expect(pdf.includes(part), part).toBe(true)
  const document = await getDocumentProxy(new Uint8Array(pdf))
  const [[id, file] = ['', undefined]] = (await document.getAttachments()) ?? []
  expect(file?.filename).toBe('factur-x.xml')
  const xml = new TextDecoder().decode((await document.getAttachmentContent(id)) ?? undefined)
  expect(xml).toBe(cii(eInvoiceOf(data, 'nl')!))
  const old = await rendered({ ...data, seller: { ...data.seller, vat_number: null } })
  expect(old.includes('factur-x')).toBe(false)
})
