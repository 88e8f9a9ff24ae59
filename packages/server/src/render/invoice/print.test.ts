import { formatAmount } from '@backstock/contract/format-in-language.ts'
import { saleTotals } from '@backstock/contract/sale-total.ts'
import type { Treatment } from '@backstock/contract/treatment.ts'
import fc from 'fast-check'
import { getDocumentProxy } from 'unpdf'
import { describe, expect, test } from 'vitest'
import { testInTurn } from '../../testing/in-turn.ts'
import { languagesToRender } from '../../testing/languages.ts'
import { invoice, rendered, textOf } from '../../testing/printed-invoice.ts'
import { CREDIT_NOTE_TEXTS } from './credit-note-texts.ts'
import type { InvoiceData } from './data.ts'
import { invoiceDocument } from './layout.ts'
import { paymentCode } from './payment-code.ts'
import { PAYMENT_TEXTS, paymentTerms } from './payment-texts.ts'
import { modelsOf, netSum, rowsOf } from './rows.ts'
import { INVOICE_TEXTS } from './texts.ts'

const MODELS = ['Apple iPhone 13', 'Samsung Galaxy S22', 'Google Pixel 7a']

/** An invoice as it is stored today. Its devices are of three models, each with its own price. */
function today(count: number, changes: Partial<InvoiceData> = {}, treatments: Treatment[] = ['standard']): InvoiceData {
  const isGross = changes.prices_include_vat ?? false
  const priced = Array.from({ length: count }, (_, n) => {
    const treatment = treatments[n % treatments.length]!
    return { treatment, price: 10_001 + (n % MODELS.length) * 5_000, rate: treatment === 'standard' ? 2300 : 0 }
  })
  const totals = saleTotals(priced, isGross)
  const base = invoice(count, { kind: 'invoice' })
  return {
    ...base,
    lines: base.lines.map((line, n) => ({
      ...line,
      description: MODELS[n % MODELS.length]!,
      ...{ price: priced[n]!.price, net: totals.lines[n]!.sales_price },
      ...{ vat_rate: priced[n]!.rate, treatment: priced[n]!.treatment },
    })),
    vat_totals: totals.vat,
    total_net: totals.total_sales_price,
    total_vat: totals.total_sales_price_vat - totals.total_sales_price,
    total_gross: totals.total_sales_price_vat,
    ...changes,
  }
}

const CREDIT: Partial<InvoiceData> = {
  kind: 'credit_note',
  number: 'C2026-00007',
  credits: { number: '2026-00042', issued_on: '2026-03-18' },
  reason: 'Battery below 80% & scratched',
}

test('a line says the grade that was sold, and devices of two grades are two lines', async () => {
  const whole = today(4)
  const graded = { ...whole, lines: whole.lines.map((line, n) => (n < 2 ? line : { ...line, grade: 'A+' })) }
  for (const lang of ['en', 'de'] as const) {
    const said = await text(graded, lang)
    expect(said.split(`, ${INVOICE_TEXTS[lang].grade} A+`)).toHaveLength(3)
  }
  const alike = graded.lines.map((line) => ({ ...line, description: 'Phone', price: 1, vat_rate: 2300 }))
  const rows = rowsOf({ ...graded, lines: alike, group_lines: true })
  expect(rows.map(({ line, devices }) => [line.grade, devices.length])).toEqual([
    [undefined, 2],
    ['A+', 2],
  ])
})

const text = async (...what: Parameters<typeof rendered>) => (await textOf(await rendered(...what))).join(' ')

describe('a credit note', () => {
  test('says in every language what it credits and why, and asks for no payment', async () => {
    const data = today(2, CREDIT)
    for (const lang of languagesToRender()) {
      const said = await text(data, lang)
      const c = CREDIT_NOTE_TEXTS[lang]
      const t = INVOICE_TEXTS[lang]
      for (const part of [c.title, c.number, 'C2026-00007', `${c.reason}: Battery below 80% & scratched`, c.total])
        expect(said).toContain(part)
      expect(said).toContain(
        c.credits('2026-00042', /[\d.\-/ ]*(18 March|18)[./-]?(03[./-])? ?2026/.exec(said)![0].trim()),
      )
      for (const part of [t.dueOn, t.payment, t.paymentReference, 'IBAN', PAYMENT_TEXTS[lang].scan])
        expect(said).not.toContain(part)
    }
  })

  test('in German is no Gutschrift: that would be the buyer’s own invoice', async () => {
    const said = await text(today(1, CREDIT), 'de')
    expect(said).toContain('Korrigiert die Rechnung 2026-00042 vom 18.03.2026')
    expect(said).not.toMatch(/gutschrift/i)
  })

  test('for margin goods speaks of no VAT either', async () => {
    const said = await text(today(2, CREDIT, ['margin']), 'en')
    expect(said).toContain('Margin scheme - Second-hand goods EUR 250.02 Total credited EUR 250.02')
    expect(said.replaceAll('VAT number', '')).not.toContain('VAT')
  })

  test('has its name in the file’s metadata, and so do draft and copy', async () => {
    const titleOf = async (pdf: Buffer) => {
      const { info } = await (await getDocumentProxy(new Uint8Array(pdf))).getMetadata()
      return (info as { Title: string }).Title
    }
    expect(await titleOf(await rendered(today(1, CREDIT), 'fr'))).toBe('Facture d’avoir C2026-00007')
    expect(await titleOf(await rendered(today(1), 'en', 'draft'))).toBe('Invoice 2026-00042 (Draft)')
    expect(await titleOf(await rendered(today(1), 'en', 'copy'))).toBe('Invoice 2026-00042 (Copy)')
  })
})

describe('a mark', () => {
  test('draft stands on each page in every language, and a draft has no XML and no code to pay with', async () => {
    for (const lang of languagesToRender()) {
      const pdf = await rendered(today(40), lang, 'draft')
      const pages = await textOf(pdf)
      expect(pages.length).toBeGreaterThan(1)
      for (const page of pages) expect(page).toContain(INVOICE_TEXTS[lang].draft)
      expect(pages.join(' ')).not.toContain(PAYMENT_TEXTS[lang].scan)
      expect(pdf.includes('factur-x')).toBe(false)
    }
  })

  test('copy stands beside the title, and a copy has the XML of what it copies', async () => {
    for (const lang of languagesToRender()) {
      const { invoice: title, copy } = INVOICE_TEXTS[lang]
      const pdf = await rendered(today(1), lang, 'copy')
      expect((await textOf(pdf)).join(' ')).toContain(`${title} ${copy}`)
      expect(pdf.includes('factur-x')).toBe(true)
    }
    expect(await text(today(1), 'en')).not.toContain('Copy')
  })
})

describe('lines', () => {
  const GROUPED = { group_lines: true }

  test('with one product, price and treatment are one, with every IMEI below', async () => {
    const data = today(40, GROUPED)
    const said = await text(data, 'en')
    expect(said).toContain('1 Apple iPhone 13 14 23% 100.01 1,400.14')
    expect(said).toContain('3 Google Pixel 7a 13 23% 200.01 2,600.13')
    for (const { imei, serial_number } of data.lines) expect(said).toContain(imei ?? serial_number)
    expect(said).not.toContain('IMEI / serial number')
  })

  test('with different prices or treatments are not put together', () => {
    const data = today(6, GROUPED, ['standard', 'margin'])
    expect(rowsOf(data).map(({ devices }) => devices.length)).toEqual([1, 1, 1, 1, 1, 1])
    const same = { ...data, lines: data.lines.map((line) => ({ ...data.lines[0]!, imei: line.imei })) }
    expect(rowsOf(same)).toMatchObject([{ position: 1, devices: { length: 6 } }])
    const cheaper = { ...same, lines: same.lines.map((line, n) => (n === 2 ? { ...line, price: 1 } : line)) }
    expect(rowsOf(cheaper).map(({ devices }) => devices.length)).toEqual([5, 1])
    for (const fact of [{ vat_name: 'Small business' }, { vat_rate: 900 }]) {
      const other = { ...same, lines: same.lines.map((line, n) => (n > 3 ? { ...line, ...fact } : line)) }
      expect(rowsOf(other).map(({ devices }) => devices.length)).toEqual([4, 2])
    }
  })

  test('add up to the same, grouped or not, with net or gross prices', () => {
    const treatment = fc.constantFrom<Treatment>('standard', 'margin', 'intra_community')
    const devices = fc.array(fc.tuple(fc.constantFrom(10_001, 9_999, 0, 33_333), treatment), { minLength: 1 })
    fc.assert(
      fc.property(devices, fc.boolean(), (of, isGross) => {
        const priced = of.map(([price, taxed]) => ({ price, treatment: taxed, rate: taxed === 'standard' ? 2100 : 0 }))
        const totals = saleTotals(priced, isGross)
        const base = invoice(of.length, { ...GROUPED, prices_include_vat: isGross })
        const lines = base.lines.map((line, n) => ({
          ...{ ...line, description: 'Phone', treatment: priced[n]!.treatment, vat_rate: priced[n]!.rate },
          ...{ price: priced[n]!.price, net: totals.lines[n]!.sales_price },
        }))
        const rows = rowsOf({ ...base, lines })
        expect(rows.reduce((sum, row) => sum + netSum(row), 0)).toBe(totals.total_sales_price)
        expect(rows.flatMap((row) => row.devices)).toHaveLength(of.length)
        expect(rows.length).toBeLessThanOrEqual(12)
      }),
    )
  })

  for (const [how, changes] of [
    ['one for each device', {}],
    ['grouped', GROUPED],
    ['with gross prices', { prices_include_vat: true }],
  ] as const)
    testInTurn(`over several pages are carried forward, ${how}`, async () => {
      const data = today(160, changes)
      // There are so many models that their groups fill pages, too.
      const lines = data.lines.map((line, n) => ({ ...line, description: `Phone ${n % 81}` }))
      const pages = await textOf(await rendered({ ...data, lines }, 'en'))
      const rows = rowsOf({ ...data, lines })
      expect(pages.length).toBeGreaterThan(2)
      let reached = 0
      for (const [n, page] of pages.entries()) {
        const here = rows.filter(({ line, position }) => page.includes(` ${position} ${line.description} `)).length
        const sum = formatAmount(
          rows.slice(0, reached).reduce((all, row) => all + netSum(row), 0),
          'en',
        )
        const isBrought = n > 0 && here > 0
        expect(page.includes(`Brought forward ${sum}`)).toBe(isBrought)
        reached += here
        const next = formatAmount(
          rows.slice(0, reached).reduce((all, row) => all + netSum(row), 0),
          'en',
        )
        expect(page.includes(`Carried forward ${next}`)).toBe(reached < rows.length)
      }
      expect(reached).toBe(rows.length)
    })

  testInTurn('whose identifiers fill pages of their own are carried over these', async () => {
    const data = today(900, { ...GROUPED, prices_include_vat: true })
    const cheap = { ...data.lines[0]!, price: 100, net: 81 }
    const lines = [...data.lines.map((line) => ({ ...cheap, imei: line.imei })), { ...data.lines[0]!, imei: 'LAST' }]
    const pages = await textOf(await rendered({ ...data, lines }, 'en'))
    const last = pages.findIndex((page) => page.includes('LAST'))
    expect(last).toBeGreaterThan(2)
    expect(pages.map((page) => page.match(/(?:Carried|Brought) forward [\d.,]+ [\d.,]+/g)?.length ?? 0)).toEqual(
      pages.map((_, n) => (n > last ? 0 : n === 0 || n === last ? 1 : 2)),
    )
    for (const page of pages.slice(1, last)) expect(page).toContain('Carried forward 729.00 900.00')
  })

  testInTurn('are summed up by model if they are many and the models few', async () => {
    const said = await text(today(42), 'en')
    expect(said).toMatch(/Summary by model .*Apple iPhone 13 14 1,400.14 .*Google Pixel 7a 14 2,800.14/)
    expect(await text(today(20), 'en')).not.toContain('Summary by model')
    expect(await text(today(21), 'en')).toContain('Summary by model')
    const names = (name: (n: number) => string) =>
      modelsOf(
        today(30).lines.map((line, n) => ({ ...line, description: name(n) })),
        30,
      ).length
    expect([names(() => 'One'), names((n) => `Phone ${n}`), names((n) => `Phone ${n % 15}`)]).toEqual([0, 0, 15])
  })

  test('under the margin scheme have a price that is called neither net nor without VAT', async () => {
    for (const lang of languagesToRender()) {
      const t = INVOICE_TEXTS[lang]
      const heading = async (changes: Partial<InvoiceData>, treatments: Treatment[]) => {
        const said = await text(today(2, changes, treatments), lang)
        return said.slice(said.indexOf(` ${t.quantity} `), said.indexOf(' 1 Apple'))
      }
      expect(await heading({}, ['margin'])).toBe(` ${t.quantity} ${t.marginPrice}`)
      expect(await heading({ prices_include_vat: true }, ['margin'])).toBe(` ${t.quantity} ${t.marginPrice}`)
      expect(await heading({}, ['margin', 'standard'])).toContain(`${t.netPrice} / ${t.marginPrice}`)
      expect(await heading({ group_lines: true }, ['margin', 'standard'])).toContain(`${t.marginPrice} ${t.sum}`)
      expect(await heading({}, ['standard'])).not.toContain(t.marginPrice)
    }
    // If gross prices are printed, the margin price is among them, and not in the net sum.
    const said = await text(today(2, { prices_include_vat: true }, ['margin', 'standard']), 'en')
    expect(said).toContain('356938035643809 1 – – 100.01')
    expect(said).toContain('356938035643810 1 23% 121.96 150.01')
  })

  test('under the margin scheme stand in the totals with their sum, apart from what bears VAT', async () => {
    const said = await text(today(2, {}, ['margin', 'standard']), 'en')
    expect(said).toContain(
      'Total excl. VAT EUR 150.01 VAT 23% on 150.01 EUR 34.50 Margin scheme - Second-hand goods EUR 100.01 Total incl. VAT EUR 284.52',
    )
  })
})

describe('how to pay', () => {
  test('is said in every language, with the company’s own words after it', async () => {
    for (const lang of languagesToRender()) {
      const data = today(1)
      const said = await text(data, lang)
      for (const part of [paymentTerms(data, lang), PAYMENT_TEXTS[lang].scan, 'Goods remain ours until paid.'])
        expect(said).toContain(part)
    }
    const days = (payment_days: number) =>
      paymentTerms(today(1, { seller: { ...today(1).seller, payment_days } }), 'en')
    expect([days(14), days(1), days(0)]).toEqual([
      'Payable within 14 days, by 1 April 2026',
      'Payable within 1 day, by 19 March 2026',
      'Payable at once',
    ])
  })

  const paying = (bank: Partial<InvoiceData['seller']['bank']>, changes: Partial<InvoiceData> = {}) => {
    const data = today(1, changes)
    return paymentCode({ ...data, seller: { ...data.seller, bank: { ...data.seller.bank, ...bank } } })
  }

  test('is a code for banking apps (EPC069-12)', () => {
    expect(paying({ iban: 'ie29 AIBK 9311 5212 3456 78' })?.split('\n')).toEqual([
      ...['BCD', '002', '1', 'SCT', 'AIBKIE2D', 'Backstock Trading Ltd', 'IE29AIBK93115212345678', 'EUR123.01'],
      ...['', '', '2026-00042'],
    ])
    const odd = { iban: '\u200bie29\u00a0AIBK-9311\u20115212 3456\u00ad 78', bic: 'aibk\u00a0ie 2d' }
    expect(paying(odd)).toBe(paying({}))
    expect(paying({ bic: 'soon' })?.split('\n')[4]).toBe('')
    const seller = { ...today(1).seller, name: `Handel\n${'ö'.repeat(80)}` }
    const lines = paying({}, { seller, total_gross: 1 })!.split('\n')
    expect(lines[5]).toBe(`Handel ${'ö'.repeat(63)}`)
    expect(lines[7]).toBe('EUR0.01')
  })

  test('is for the open sum, and missing if nothing is open', async () => {
    expect(paying({}, { paid: 300 })).toContain('EUR120.01')
    for (const paid of [12_301, 20_000]) expect(paying({}, { paid })).toBeUndefined()
    for (const lang of languagesToRender()) {
      const p = PAYMENT_TEXTS[lang]
      const [partly, whole, more] = await Promise.all(
        [300, 12_301, 20_000].map((paid) => text(today(1, { paid }), lang)),
      )
      for (const part of [p.paid, p.open, p.scan, INVOICE_TEXTS[lang].dueOn]) expect(partly).toContain(part)
      expect(partly).toMatch(/120[.,]01/)
      for (const [said, name] of [[whole, p.open] as const, [more, p.balance] as const]) {
        for (const part of [p.paid, name, p.settled, 'Goods remain ours until paid.']) expect(said).toContain(part)
        for (const part of [p.scan, 'IBAN', INVOICE_TEXTS[lang].dueOn]) expect(said).not.toContain(part)
      }
      expect(more).toMatch(/76[.,]99/)
    }
  })

  test('has no code without an account, or for a sum that no transfer has', () => {
    for (const iban of [null, '', 'soon', 'IE29']) expect(paying({ iban })).toBeUndefined()
    expect(paying({}, { total_gross: 0 })).toBeUndefined()
    expect(paying({}, { total_gross: 99_999_999_999 })).toContain('EUR999999999.99')
    expect(paying({}, { total_gross: 100_000_000_000 })).toBeUndefined()
  })
})

test('an invoice bears the seller’s registration', async () => {
  expect(await text(today(1, { seller: { ...today(1).seller, registration: 'CRO 123456' } }), 'en')).toContain(
    'VAT number IE1234567T CRO 123456',
  )
})

test('an invoice to a buyer without a billing address bears the delivery address, once', async () => {
  const data = today(1)
  const said = await text({ ...data, buyer: { ...data.buyer, billing_address: null } }, 'en')
  expect(said).toMatch(/Bill to Łucja Żółć Sp. z o.o. Γιώργος Παπαδόπουλος ul. Portowa 9 80-001 Gdańsk Poland/i)
  expect(said).not.toMatch(/Deliver to/i)
  // The same street in another town is another address.
  const { billing_address } = data.buyer
  const moved = { ...billing_address!, lines: [billing_address!.lines[0]!, '80-001 Gdańsk'] }
  const twice = await text({ ...data, buyer: { ...data.buyer, delivery_address: moved } }, 'en')
  expect(twice).toMatch(/Deliver to .*ul\. Długa 5 80-001 Gdańsk/i)
})

test('an invoice bears the seller’s logo, and without one no picture at all', () => {
  const drawn = (logo: string | null) => {
    const data = today(1, { seller: { ...today(1).seller, logo } })
    return JSON.stringify(invoiceDocument(data, 'en').content).match(/"(?:svg|image)":"[^"]*"/g)
  }
  expect(drawn('data:image/png;base64,AAAA')).toEqual(['"image":"data:image/png;base64,AAAA"'])
  expect(drawn(null)).toBeNull()
})

test('data from before invoices had a kind print as they did then', async () => {
  const { kind: _, ...earlier } = today(60)
  const said = await text(earlier, 'en')
  expect(said).toContain('Payment Due date 1 April 2026 Bank')
  for (const part of ['Payable', 'Scan', 'forward', 'Summary']) expect(said).not.toContain(part)
})
