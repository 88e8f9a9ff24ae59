import type { EInvoiceProfile } from '@backstock/contract/e-invoice-profile.ts'
import { INVOICE_LANGUAGES, type InvoiceLanguage } from '@backstock/contract/invoice-language.ts'
import { saleTotals } from '@backstock/contract/sale-total.ts'
import { TREATMENTS, type Treatment } from '@backstock/contract/treatment.ts'
import fc from 'fast-check'
import { getDocumentProxy } from 'unpdf'
import { describe, expect, test } from 'vitest'
import { XmlDocument } from 'xmldoc'
import { outOfOrder } from '../../testing/e-invoice-order.ts'
import { brokenProfileRules } from '../../testing/e-invoice-profiles.ts'
import { type Read, readCii, readUbl } from '../../testing/e-invoice-read.ts'
import { brokenRules } from '../../testing/en16931.ts'
import { type InvoiceData, invoiceAddress } from '../invoice/data.ts'
import { renderInvoice } from '../invoice/pdf.ts'
import { eInvoiceLacks, eInvoiceLacksOf, eInvoiceOf } from './e-invoice.ts'
import { eInvoiceXml, madeXml } from './e-invoice-xml.ts'
import { profileLacksOf } from './profile.ts'

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

/** An invoice with these lines, and with the totals that a sale would have. */
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

const TAXED = TREATMENTS.filter((one): one is Taxed => one !== 'none')
const anyLine = fc.record<Line>({ treatment: fc.constantFrom(...TAXED), price: fc.integer({ min: 0, max: 2_000_000 }) })

const CREDIT: Partial<InvoiceData> = {
  kind: 'credit_note',
  number: 'C2026-00007',
  credits: { number: '2026-00042', issued_on: '2026-03-18' },
  reason: 'Returned & <scratched>',
}

/**
 * Checks that both syntaxes have the same values, in the order of their schemas, and that all rules of EN 16931 hold.
 * Returns the values.
 */
function checked(data: InvoiceData, lang: InvoiceLanguage = 'en'): Read {
  const xml = { cii: eInvoiceXml(data, lang, 'cii')!, ubl: eInvoiceXml(data, lang, 'ubl')! }
  expect([outOfOrder(xml.cii), outOfOrder(xml.ubl)]).toEqual([[], []])
  const { amounts: _, ...inUbl } = readUbl(xml.ubl)
  const inCii = readCii(xml.cii)
  expect(inCii).toMatchObject(inUbl)
  // VAT that is computed from gross prices may differ by a cent from VAT on the net sum.
  const slack = data.prices_include_vat ? 1 : 0.5
  for (const read of [inCii, readUbl(xml.ubl)]) expect(brokenRules(read, slack)).toEqual([])
  expect(inCii.sums).toMatchObject({ net: data.total_net, vat: data.total_vat, gross: data.total_gross })
  return inCii
}

test('each treatment and each mixture of them holds to the rules, as an invoice and as a credit note', () => {
  const mixtures = Array.from({ length: 2 ** TAXED.length - 1 }, (_, n) =>
    TAXED.filter((_, bit) => ((n + 1) >> bit) & 1),
  )
  expect(mixtures).toHaveLength(2 ** 7 - 1)
  for (const treatments of mixtures)
    for (const changes of [{}, { supplied_on: '2026-03-20' }, CREDIT])
      checked(
        invoice(
          treatments.map((treatment, n) => ({ treatment, price: 10_001 + n })),
          treatments.length % 2 === 0,
          changes,
        ),
      )
})

test('the paid and the open sum are named, and an invoice with nothing open asks for nothing', () => {
  for (const gross of [false, true])
    for (const paid of [1, 9_999, 20_000, 24_200, 24_201, 40_000]) {
      const data = invoice(
        [
          { treatment: 'standard', price: 10_000 },
          { treatment: 'margin', price: 10_000 },
        ],
        gross,
        { kind: 'invoice', paid },
      )
      const { sums, means, remittance, due_on, terms } = checked(data)
      const open = data.total_gross - paid
      expect(sums).toMatchObject({ paid, payable: open })
      expect([means[0]?.code, Boolean(means[0]?.iban), remittance !== undefined, due_on !== undefined]).toEqual(
        open > 0 ? ['58', true, true, true] : ['1', false, false, false],
      )
      expect(terms?.startsWith('This invoice has been paid.')).toBe(open <= 0)
    }
})

/** Texts with characters that XML cannot contain, or only escaped. */
const anyText = fc
  .array(
    fc.constantFrom('a', 'é', 'Ω', '<', '>', '&', '"', "'", ']]>', '\u0000', '\u001b', '\ud800', '\uffff', '📱', ' '),
  )
  .map((parts) => `A${parts.join('')}Z`)
const asXmlHolds = (text: string) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it is about
  text.replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd').toWellFormed()

test('both syntaxes say the same as the data, and hold to the rules, whatever the sums and the texts', () => {
  const texts = fc.record({ name: anyText, street_2: anyText, registration: anyText, reason: anyText, phone: anyText })
  fc.assert(
    fc.property(
      fc.array(anyLine, { minLength: 1, maxLength: 12 }),
      fc.boolean(),
      fc.boolean(),
      texts,
      fc.constantFrom(...INVOICE_LANGUAGES),
      (lines, gross, isCredit, said, lang) => {
        const base = invoice(lines, gross, isCredit ? CREDIT : {})
        const data: InvoiceData = {
          ...base,
          ...(isCredit && { reason: said.reason }),
          seller: { ...base.seller, registration: said.registration },
          buyer: {
            ...base.buyer,
            company_name: said.name,
            billing_address: { ...base.buyer.billing_address!, street_2: said.street_2 },
          },
          lines: base.lines.map((line) => ({ ...line, description: said.phone })),
        }
        const read = checked(data, lang)
        expect(read).toMatchObject({
          type: isCredit ? '381' : '380',
          note: isCredit ? asXmlHolds(said.reason) : undefined,
          seller: { registration: asXmlHolds(said.registration) },
          buyer: { name: asXmlHolds(said.name), street_2: asXmlHolds(said.street_2) },
        })
        expect(read.lines.map(({ net, name }) => [net, name])).toEqual(
          data.lines.map(({ net }) => [net, asXmlHolds(said.phone)]),
        )
      },
    ),
    { numRuns: 300 },
  )
})

const DUTCH = {
  ...{ address: place('Rotterdam', 'NL'), vat_number: 'NL810433941B01', registration: 'KvK 12345678' },
  ...{ electronic_address: '0106:12345678', phone: '+31 10 123', contact: 'Invoices' },
}
const GERMAN = {
  ...{ address: place('Berlin', 'DE'), vat_number: 'DE136695976', registration: 'HRB 4711', phone: '030 123' },
  electronic_address: '9930:DE136695976',
}
const BUYERS = {
  NL: {
    ...{ billing_address: place('Utrecht', 'NL'), registration: '87654321', electronic_address: '0106:87654321' },
    vat_number: 'NL810433941B01',
  },
  DE: {
    ...{ billing_address: place('Bremen', 'DE'), registration: 'HRA 1', vat_number: 'DE136695976' },
    ...{ electronic_address: '0204:04011000-1234512345-06', reference: '04011000-1234512345-06' },
  },
}

/** The data of an invoice with all that its profile demands. */
function asked(profile: EInvoiceProfile, from: object, to: object, data: InvoiceData): InvoiceData {
  return { kind: 'invoice', ...data, profile, seller: { ...data.seller, ...from }, buyer: { ...data.buyer, ...to } }
}

/** The values in the files of the data's profile, after checks that EN 16931 and the profile hold. */
function profiled(data: InvoiceData & { profile: EInvoiceProfile }): Read[] {
  expect(Object.values(profileLacksOf(data.profile, data)).flat()).toEqual([])
  const { cii: _, ubl: __, ...files } = madeXml(data, 'de')!
  return Object.entries(files).map(([file, xml]) => {
    const read = file === 'xrechnung-cii' ? readCii(xml) : readUbl(xml)
    expect(outOfOrder(xml)).toEqual([])
    expect([
      ...brokenRules(read, data.prices_include_vat ? 1 : 0.5),
      ...brokenProfileRules(read, data.profile),
    ]).toEqual([])
    return read
  })
}

test('each treatment and each mixture holds to the rules of XRechnung and of Peppol, paid or not, credited or not', () => {
  const pairs = [
    [DUTCH, BUYERS.NL],
    [DUTCH, BUYERS.DE],
    [GERMAN, BUYERS.DE],
    [GERMAN, BUYERS.NL],
  ] as const
  const kinds: ((gross: number) => Partial<InvoiceData>)[] = [
    () => ({}),
    () => ({ supplied_on: '2026-03-20' }),
    (gross) => ({ paid: Math.floor(gross / 3) }),
    (gross) => ({ paid: gross }),
    () => CREDIT,
  ]
  for (let n = 1; n < 2 ** TAXED.length; n++) {
    const treatments = TAXED.filter((_, bit) => (n >> bit) & 1)
    const lines = treatments.map((treatment, at) => ({ treatment, price: 10_001 + at }))
    const isWhole = treatments.length === 1 || treatments.length === TAXED.length
    for (const [at, kind] of kinds.entries())
      for (const [with_, [from, to]] of pairs.entries())
        for (const profile of ['xrechnung', 'peppol'] as const) {
          if (!isWhole && (n + 7 * at + with_) % 20 !== 0) continue
          const data = invoice(lines, n % 2 === 0)
          const whole = { ...asked(profile, from, to, data), ...kind(data.total_gross), profile }
          expect(profiled(whole)).toHaveLength(profile === 'xrechnung' ? 2 : 1)
        }
  }
})

test('a broken rule of a profile is found by its name', () => {
  const lines: Line[] = [{ treatment: 'standard', price: 10_000 }]
  const [dutch] = profiled({ ...asked('peppol', DUTCH, BUYERS.NL, invoice(lines)), profile: 'peppol' })
  const [german] = profiled({ ...asked('xrechnung', GERMAN, BUYERS.DE, invoice(lines)), profile: 'xrechnung' })
  const inPeppol = (changes: Partial<Read>) => brokenProfileRules({ ...dutch!, ...changes }, 'peppol')
  const inGermany = (changes: Partial<Read>) => brokenProfileRules({ ...german!, ...changes }, 'xrechnung')
  expect(inPeppol({ guideline: german!.guideline! })).toEqual(['PEPPOL-EN16931-R004'])
  expect(inPeppol({ process: undefined })).toEqual(['PEPPOL-EN16931-R001'])
  expect(inPeppol({ buyer: { ...dutch!.buyer, electronic: ['EM', 'a@b.test'] } })).toEqual(['PEPPOL-EN16931-CL008'])
  expect(inPeppol({ buyer: { ...dutch!.buyer, electronic: ['0106', '1234'] } })).toEqual(['PEPPOL-EN16931-R010'])
  expect(inPeppol({ seller: { ...dutch!.seller, registered_as: undefined } })).toEqual(['NL-R-003'])
  expect(inPeppol({ means: [{ code: '1', iban: undefined, bic: undefined }] })).toEqual(['NL-R-008'])
  expect(inPeppol({ means: [] })).toEqual(['NL-R-007'])
  expect(inGermany({ reference: ' ' })).toEqual(['PEPPOL-EN16931-R003, BR-DE-15'])
  expect(inGermany({ seller: { ...german!.seller, contact: { ...german!.seller.contact, phone: '1' } } })).toEqual([
    'BR-DE-6, BR-DE-27',
  ])
  expect(inGermany({ means: [] })).toEqual(['BR-DE-1'])
  expect(inGermany({ terms: '#2% in 7 days' })).toEqual(['BR-DE-18'])
})

test('a profile names the buyer’s reference and order, the addresses, the contact, and a KvK number with its kind', () => {
  const data = invoice([{ treatment: 'standard', price: 10_000 }], false, { reference_number: 'PO 8' })
  const named = { ...asked('peppol', DUTCH, { ...BUYERS.NL, reference: 'Dept. 7' }, data), profile: 'peppol' as const }
  expect(profiled(named)[0]).toMatchObject({
    ...{ reference: 'Dept. 7', order: 'PO 8' },
    seller: {
      ...{ registration: '12345678', registered_as: '0106', electronic: ['0106', '12345678'] },
      contact: { name: 'Invoices', phone: '+31 10 123', email: 'sales@shop.test' },
    },
    buyer: { registration: '87654321', registered_as: '0106', electronic: ['0106', '87654321'] },
  })
  // If the customer has given no reference, the sale's own takes its place. XRechnung takes an email as an address.
  const { reference: _, electronic_address: __, ...buyer } = BUYERS.DE
  const other = { ...asked('xrechnung', GERMAN, buyer, data), profile: 'xrechnung' as const }
  for (const read of profiled(other))
    expect(read).toMatchObject({
      ...{ reference: 'PO 8', order: undefined },
      seller: { registration: 'HRB 4711', registered_as: undefined, contact: { name: 'Tweede Leven B.V.' } },
      buyer: { electronic: ['EM', 'j@s.test'] },
    })
  // The form of a cash discount that machines read demands the end of the line after it (BR-DE-18).
  const discount = { ...other.seller, payment_terms: '#SKONTO#TAGE=7#PROZENT=2.00#' }
  for (const { terms } of profiled({ ...other, seller: discount })) expect(terms).toMatch(/\n#SKONTO#.*#\n$/)
})

test('a buyer without a billing address has the delivery address, also if a profile asks for its street', () => {
  const data = invoice([{ treatment: 'standard', price: 10_000 }])
  const buyer = { ...data.buyer, billing_address: null, delivery_address: place('Hamburg', 'DE') }
  const { city, country } = checked({ ...data, buyer }).buyer
  expect([city, country]).toEqual(['Hamburg', 'DE'])
  const dutch = { ...BUYERS.NL, billing_address: null, delivery_address: place('Utrecht', 'NL'), reference: 'x' }
  const named = { ...asked('peppol', DUTCH, dutch, data), profile: 'peppol' as const }
  expect(profiled(named)[0]?.buyer).toMatchObject({ street: '1 Street', city: 'Utrecht', country: 'NL' })
  const streetless = { ...dutch, delivery_address: { ...dutch.delivery_address!, street: null } }
  expect(profileLacksOf('peppol', asked('peppol', DUTCH, streetless, data)).buyer).toEqual([
    'the street of the buyer’s address',
  ])
})

test('in Peppol, a Swedish seller’s tax number is the approval for F-tax alone, and an Italian one’s a number', () => {
  const data = invoice([{ treatment: 'zero', price: 10_000 }])
  const taxNumber = (from: object, tax_number: string) =>
    profiled({ ...asked('peppol', { ...from, tax_number }, BUYERS.DE, data), profile: 'peppol' })[0]?.seller.tax_number
  const swedish = {
    ...{ ...DUTCH, address: place('Malmö', 'SE'), vat_number: 'SE556036079301', registration: '556036-0793' },
    electronic_address: '0007:5560360793',
  }
  expect(['29/815', 'Godkänd för F-skatt'].map((one) => taxNumber(swedish, one))).toEqual([
    undefined,
    'Godkänd för F-skatt',
  ])
  const italian = {
    ...{ ...DUTCH, address: place('Roma', 'IT'), vat_number: 'IT00743110157', registration: 'REA RM-1' },
    electronic_address: '0211:IT00743110157',
  }
  expect(['29/815', 'RSSMRA85T10A562S'].map((one) => taxNumber(italian, one))).toEqual([undefined, 'RSSMRA85T10A562S'])
  for (const from of [swedish, italian])
    expect(profileLacksOf('peppol', asked('peppol', { ...from, vat_number: null }, BUYERS.DE, data)).seller).toEqual([
      'the seller’s VAT number',
    ])
})

const PLAIN = 'urn:cen.eu:en16931:2017'

test('if a profile lacks something, the lack is named, and only its own files are missing', () => {
  const data = invoice([{ treatment: 'standard', price: 10_000 }], false, { reference_number: null })
  const lacking = (profile: EInvoiceProfile, from: object, to: object, changes: Partial<InvoiceData> = {}) => {
    const asking = { ...asked(profile, from, to, data), ...changes }
    const { cii, ubl, ...files } = madeXml(asking, 'en')!
    expect([readCii(cii).guideline, readUbl(ubl).guideline, files]).toEqual([PLAIN, PLAIN, {}])
    return profileLacksOf(profile, asking)
  }
  const { reference: _, ...unreferenced } = BUYERS.DE
  const own = { ...data.seller.bank, iban: null }
  expect(lacking('xrechnung', { phone: null, email: null, payment_terms: '# Soon', bank: own }, unreferenced)).toEqual({
    seller: [
      'the seller’s bank account',
      'the seller’s phone number',
      'the seller’s email',
      'payment terms in which no line begins with #',
    ],
    buyer: ['the buyer’s reference'],
    items: [],
  })
  // A document that asks for nothing needs no account.
  for (const changes of [CREDIT, { paid: data.total_gross }])
    expect(
      profileLacksOf('xrechnung', { ...asked('xrechnung', { ...GERMAN, bank: own }, BUYERS.DE, data), ...changes }),
    ).toEqual({ seller: [], buyer: [], items: [] })
  expect(lacking('peppol', { registration: 'KvK 123' }, { email: null, reference: 'x' })).toEqual({
    seller: ['the seller’s electronic address for Peppol', 'the seller’s KvK number or OIN as its registration number'],
    buyer: ['the buyer’s electronic address for Peppol'],
    items: [],
  })
  // Peppol's network has no email addresses.
  expect(lacking('peppol', DUTCH, { reference: 'x', electronic_address: 'EM:a@b.test' }).buyer).toHaveLength(1)
  const swedish = {
    ...{ ...DUTCH, address: place('Malmö', 'SE'), vat_number: 'SE556036079301', registration: '556036-0793' },
    electronic_address: '0007:5560360793',
  }
  expect(lacking('peppol', swedish, { ...BUYERS.DE }).items).toEqual(['a Swedish VAT rate on every taxed item'])
  expect(lacking('peppol', { ...DUTCH, vat_number: 'EL090000045' }, BUYERS.DE).seller).toEqual([
    'the myDATA confirmation (Backstock does not connect to myDATA)',
  ])
})

const DANISH = {
  ...{ ...DUTCH, address: place('Aarhus', 'DK'), vat_number: 'DK13585628', registration: 'CVR 12345678' },
  electronic_address: '0184:12345678',
}
const SWEDISH = {
  ...{ ...DUTCH, address: place('Malmö', 'SE'), vat_number: 'SE556036079301', registration: '556036-0793' },
  electronic_address: '0007:5560360793',
}
const streetless = (address: ReturnType<typeof place>) => ({ ...address!, street: null })

test.each<[EInvoiceProfile, from: object, to: object, lacks: string | null]>([
  ['peppol', DANISH, BUYERS.DE, null],
  ['peppol', { ...DANISH, registration: 'ApS 4' }, BUYERS.DE, 'the seller’s CVR number as its registration number'],
  ['peppol', SWEDISH, BUYERS.DE, null],
  [
    'peppol',
    { ...SWEDISH, registration: null },
    BUYERS.DE,
    'the seller’s organisation number as its registration number',
  ],
  ['peppol', { ...SWEDISH, vat_number: 'SE5560360793' }, BUYERS.DE, 'the seller’s VAT number with twelve digits'],
  ['peppol', { ...DUTCH, address: streetless(DUTCH.address) }, BUYERS.DE, 'the street of the seller’s address'],
  ['peppol', DUTCH, { ...BUYERS.DE, billing_address: streetless(BUYERS.DE.billing_address) }, null],
  ['peppol', GERMAN, { ...BUYERS.NL, billing_address: streetless(BUYERS.NL.billing_address), reference: 'x' }, null],
  ['peppol', { ...GERMAN, phone: null }, { ...BUYERS.NL, reference: 'x' }, null],
  ['peppol', { ...GERMAN, phone: null }, BUYERS.DE, 'the seller’s phone number'],
  ['peppol', { ...DUTCH, phone: null }, BUYERS.DE, null],
  ['peppol', { ...DUTCH, address: place('Athens', 'GR') }, BUYERS.DE, 'the myDATA confirmation'],
  ['xrechnung', { ...GERMAN, phone: '0-3-0' }, BUYERS.DE, null],
  ['xrechnung', { ...DUTCH, phone: '3 0' }, BUYERS.DE, 'the seller’s phone number'],
  ['xrechnung', DUTCH, { ...BUYERS.DE, electronic_address: undefined }, null],
  ['xrechnung', DUTCH, { ...BUYERS.DE, electronic_address: undefined, email: null }, 'the buyer’s electronic address'],
])('%s demands what its countries and parties need, %#', (profile, from, to, lacks) => {
  const data = invoice([{ treatment: 'reverse_charge', price: 10_000 }])
  const found = Object.values(profileLacksOf(profile, asked(profile, from, to, data))).flat()
  expect(found).toEqual(lacks === null ? [] : [expect.stringContaining(lacks)])
})

test('in Peppol, a Swedish seller charges the rates of Sweden', () => {
  const taxed = [500, 600, 1200, 2500].map((vat_rate) => {
    const data = invoice([{ treatment: 'standard', price: 10_000 }])
    const lines = data.lines.map((line) => ({ ...line, vat_rate }))
    return profileLacksOf('peppol', asked('peppol', SWEDISH, BUYERS.DE, { ...data, lines })).items.length
  })
  expect(taxed).toEqual([1, 0, 0, 0])
})

test('a broken rule is found by its name', () => {
  const good = checked(
    invoice([
      { treatment: 'intra_community', price: 100 },
      { treatment: 'standard', price: 300 },
    ]),
  )
  const found = (changes: Partial<Read>) => brokenRules({ ...good, ...changes }, 0.5)
  expect(found({})).toEqual([])
  expect(found({ sums: { ...good.sums, net: 1 } })).toEqual(['BR-CO-13', 'BR-CO-15'])
  expect(found({ buyer: { ...good.buyer, vat_number: undefined } })).toEqual(['BR-IC-02'])
  expect(found({ period: { start: undefined, end: undefined } })).toEqual(['BR-IC-11'])
  expect(found({ type: '381' })).toEqual([
    'a credit note names its invoice, an invoice none',
    'a credit note is not to be paid',
  ])
  expect(found({ groups: good.groups.map((group) => ({ ...group, vat: group.vat + 1 })) })).toContain('BR-IC-09')
  expect(
    found({
      groups: good.groups.map(({ code, reason, ...group }) => ({ ...group, code: undefined, reason: undefined })),
    }),
  ).toEqual(['BR-IC-10'])
  expect(
    outOfOrder('<Invoice><cbc:ID>1</cbc:ID><cbc:CustomizationID/><cbc:CreditNoteTypeCode/></Invoice>'),
  ).toHaveLength(2)
})

test('a credit note names what it credits and why, and asks for no payment', () => {
  const data = invoice([{ treatment: 'standard', price: 10_000 }], false, CREDIT)
  expect(checked(data)).toMatchObject({
    ...{ number: 'C2026-00007', type: '381', note: 'Returned & <scratched>', due_on: undefined, remittance: undefined },
    preceding: [{ number: '2026-00042', issued_on: '2026-03-18' }],
    terms: 'Credits invoice 2026-00042 of 18 March 2026', // rule BR-CO-25 of EN 16931
    means: [{ code: '1', iban: undefined }], // rule BR-DE-1 of XRechnung
    sums: { payable: 12_100 },
  })
  expect(eInvoiceXml(data, 'en', 'ubl')).toMatch(
    /<CreditNote [\s\S]*<cbc:CreditNoteTypeCode>381<[\s\S]*<cac:CreditNoteLine>/,
  )
  const { credits: _, ...lost } = data
  expect(eInvoiceLacks(lost)).toEqual(['the invoice that it credits'])
  expect(eInvoiceXml(lost, 'en', 'cii')).toBeUndefined()
})

test('numbers have neither the signs nor the invisible characters with which people write them', () => {
  const plain = invoice([{ treatment: 'intra_community', price: 10_000 }])
  const odd = (text: string) => `\u200b${text.replaceAll(' ', '\u00a0').replaceAll('-', '\u2011')}\u00ad`
  const seller = {
    ...{ ...plain.seller, vat_number: odd('nl 8104-33941.B01') },
    bank: { name: null, iban: odd('nl91-ABNA 0417-1643 00'), bic: odd('abna nl 2a') },
  }
  const written = { ...plain, seller, buyer: { ...plain.buyer, vat_number: odd('DE: 136 695-976') } }
  expect(checked(written).means).toEqual([{ code: '58', iban: 'NL91ABNA0417164300', bic: 'ABNANL2A' }])
  for (const syntax of ['cii', 'ubl'] as const)
    expect(eInvoiceXml(written, 'en', syntax)).toBe(eInvoiceXml(plain, 'en', syntax))
})

test('an invoice names the day and the account for its payment in its language, with the company’s own words', () => {
  const data = invoice([{ treatment: 'standard', price: 10_000 }], false, { kind: 'invoice' })
  expect(checked(data, 'de')).toMatchObject({
    ...{ terms: 'Zahlbar innerhalb von 14 Tagen, bis zum 01.04.2026\nSoon.', due_on: '2026-04-01', preceding: [] },
    means: [{ code: '58', iban: 'NL91ABNA0417164300', bic: 'ABNANL2A' }],
    remittance: '2026-00042',
  })
})

const textIn = (xml: string) => {
  const root = new XmlDocument(xml)
  return (path: string) => root.valueWithPath(path)
}

describe('the content of an e-invoice', () => {
  test.each<[Taxed, string, string | undefined]>([
    ['standard', 'S', undefined],
    ['zero', 'Z', undefined],
    ['margin', 'E', 'VATEX-EU-F'],
    ['reverse_charge', 'AE', 'VATEX-EU-AE'],
    ['intra_community', 'K', 'VATEX-EU-IC'],
    ['export', 'G', 'VATEX-EU-G'],
    ['exempt', 'E', undefined],
  ])('%s is category %s', (treatment, category, code) => {
    const { groups } = checked(invoice([{ treatment, price: 100 }]), 'de')
    expect([groups[0]!.category, groups[0]!.code]).toEqual([category, code])
  })

  test('an exemption has a code if all exempt lines have the same one, and no other reason beside it', () => {
    const coded = (treatments: Taxed[], codes: (string | undefined)[]) => {
      const data = invoice(treatments.map((treatment) => ({ treatment, price: 100 })))
      const lines = data.lines.map((line, n) => ({ ...line, ...(codes[n] && { exemption_code: codes[n] }) }))
      return checked({ ...data, lines }).groups.find(({ category }) => category === 'E')!.code
    }
    expect(coded(['exempt', 'exempt', 'standard'], ['VATEX-EU-132', 'VATEX-EU-132'])).toBe('VATEX-EU-132')
    expect(coded(['exempt', 'exempt'], ['VATEX-EU-132', 'VATEX-EU-309'])).toBeUndefined()
    expect(coded(['exempt', 'exempt'], ['VATEX-EU-132', undefined])).toBeUndefined()
    expect(coded(['exempt', 'margin'], ['VATEX-EU-132', undefined])).toBeUndefined()
  })

  test('names the parties, days, destination and payment, in texts that XML can hold', () => {
    const data = invoice([{ treatment: 'intra_community', price: 100 }])
    const text = textIn(eInvoiceXml(data, 'de', 'ubl')!)
    const said = {
      'cbc:BuyerReference': 'PO "8" & <1>',
      'cbc:DueDate': '2026-04-01',
      'cac:InvoicePeriod.cbc:StartDate': '2026-03-18', // rule BR-IC-11 of EN 16931
      'cac:AccountingSupplierParty.cac:Party.cac:PartyTaxScheme.cbc:CompanyID': 'NL810433941B01',
      'cac:AccountingCustomerParty.cac:Party.cac:PartyLegalEntity.cbc:RegistrationName': 'Schäfer & Söhne\ufffd GmbH',
      'cac:Delivery.cac:DeliveryLocation.cac:Address.cac:Country.cbc:IdentificationCode': 'DE', // rule BR-IC-12 of EN 16931
      'cac:PaymentMeans.cac:PayeeFinancialAccount.cbc:ID': 'NL91ABNA0417164300',
      'cac:TaxTotal.cac:TaxSubtotal.cac:TaxCategory.cbc:TaxExemptionReason':
        'Innergemeinschaftliche Lieferung, Art. 138 Richtlinie 2006/112/EG / Intracommunautaire levering, art. 138 Richtlijn 2006/112/EG',
    }
    expect(Object.fromEntries(Object.keys(said).map((path) => [path, text(path)]))).toEqual(said)
    const dispatched = invoice([{ treatment: 'intra_community', price: 100 }], false, { supplied_on: '2026-03-20' })
    const there = textIn(eInvoiceXml(dispatched, 'de', 'ubl')!)
    expect(there('cac:Delivery.cbc:ActualDeliveryDate')).toBe('2026-03-20')
    expect(there('cac:InvoicePeriod.cbc:StartDate')).toBeUndefined()
  })

  test('a VAT number that names no country stays out, and no other line passes for the street', () => {
    const data = invoice([{ treatment: 'standard', price: 100 }])
    const address = invoiceAddress({ ...NOWHERE, city: 'Berlin', postal_code: '1000', country_code: 'DE' })
    const buyer = { ...data.buyer, vat_number: '136695976', billing_address: address }
    const text = textIn(eInvoiceXml({ ...data, buyer }, 'en', 'ubl')!)
    const party = 'cac:AccountingCustomerParty.cac:Party'
    expect(text(`${party}.cac:PartyTaxScheme.cbc:CompanyID`)).toBeUndefined() // rule BR-CO-09 of EN 16931
    expect(text(`${party}.cac:PostalAddress.cbc:StreetName`)).toBeUndefined()
    expect(text(`${party}.cac:PostalAddress.cbc:CityName`)).toBe('Berlin')
  })

  test('a seller without a VAT number says the number of the tax office, unless goods leave the country untaxed', () => {
    const data = invoice([{ treatment: 'standard', price: 100 }])
    const seller = { ...data.seller, vat_number: null, tax_number: '29/815/08157', registration: 'HRB 1' }
    for (const [syntax, read] of [
      ['ubl', readUbl],
      ['cii', readCii],
    ] as const) {
      const xml = eInvoiceXml({ ...data, seller }, 'de', syntax)!
      expect(read(xml).seller).toMatchObject({ vat_number: undefined, tax_number: '29/815/08157' })
      expect(brokenRules(read(xml), 0.5)).toEqual([])
      expect(outOfOrder(xml)).toEqual([])
      const both = eInvoiceXml({ ...data, seller: { ...seller, vat_number: 'DE136695976' } }, 'de', syntax)!
      expect(read(both).seller).toMatchObject({ vat_number: 'DE136695976', tax_number: '29/815/08157' })
      expect(outOfOrder(both)).toEqual([])
    }
    // Rule BR-CO-26 demands a number in a register, too. BR-IC-02 and BR-G-02 demand a VAT number.
    const lacks = ['the seller’s VAT number with its country prefix']
    expect(eInvoiceLacks({ ...data, seller: { ...seller, registration: null } })).toEqual(lacks)
    for (const treatment of ['intra_community', 'export'] as const) {
      const lines = data.lines.map((line) => ({ ...line, treatment, vat_rate: 0 }))
      expect(eInvoiceLacks({ ...data, seller, lines })).toEqual(lacks)
    }
  })

  test('there is none if a fact lacks, and its name is told', () => {
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
    // Rules BR-IC-02 and BR-AE-02 of EN 16931: the XML cannot contain a VAT number without its country.
    for (const treatment of ['intra_community', 'reverse_charge'] as const) {
      const untaxed = data.lines.map((line) => ({ ...line, treatment, vat_rate: 0 }))
      expect(lacking({ lines: untaxed, buyer: { ...data.buyer, vat_number: '136695976' } })).toHaveLength(1)
    }
    expect(lacking({ lines: data.lines.map((line) => ({ ...line, treatment: 'none' })) })).toHaveLength(1)
    expect(lacking({ lines: data.lines.map(({ treatment: _, ...line }) => line) })).toHaveLength(1)
    // The lines of old sales have no treatment.
    expect(lacking({ lines: data.lines.map((line) => ({ ...line, vat_rate: 0 })) })).toHaveLength(1)
  })

  test('the facts that lack are told by the page on which they are entered', () => {
    const data = invoice([
      { treatment: 'exempt', price: 100 },
      { treatment: 'reverse_charge', price: 100 },
    ])
    const lacks = (changes: Partial<InvoiceData>) => eInvoiceLacksOf({ ...data, ...changes })
    const none = { seller: [], buyer: [], items: [] }
    const nowhere = { address: null, vat_number: null }
    expect(lacks({})).toEqual(none)
    expect(lacks({ seller: { ...data.seller, ...nowhere } })).toEqual({
      ...none,
      seller: ['the seller’s address', 'the seller’s VAT number with its country prefix'],
    })
    expect(lacks({ buyer: { ...data.buyer, billing_address: null, vat_number: null } })).toEqual({
      ...none,
      buyer: ['the buyer’s address', 'the buyer’s VAT number with its country prefix'],
    })
    const unnamed = data.lines.map(({ vat_name: _, ...line }) => line)
    expect(lacks({ lines: unnamed, kind: 'credit_note' })).toEqual({
      ...none,
      items: ['the reason for the exemption', 'the invoice that it credits'],
    })
    expect(lacks({ lines: data.lines.map((line) => ({ ...line, treatment: 'none' as const })) })).toEqual({
      ...none,
      items: ['each item’s VAT type and what it means'],
    })
    const [exempt] = data.lines
    expect(lacks({ lines: [exempt!], buyer: { ...data.buyer, vat_number: null } })).toEqual(none)
  })
})

test('the PDF is a PDF/A-3 with the XML inside, or without one if none can be made', async () => {
  const data = invoice([
    { treatment: 'margin', price: 20_000 },
    { treatment: 'standard', price: 10_000 },
  ])
  const rendered = (one: InvoiceData) =>
    renderInvoice({ number: one.number, data: JSON.stringify(one), logo: null }, 'nl')
  const { pdf, xml: said } = await rendered(data)
  expect(said).toEqual({ cii: eInvoiceXml(data, 'nl', 'cii'), ubl: eInvoiceXml(data, 'nl', 'ubl') })
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
  expect(xml).toBe(said?.cii)
  const { pdf: old } = await rendered({ ...data, seller: { ...data.seller, vat_number: null } })
  expect(old.includes('factur-x')).toBe(false)
})
