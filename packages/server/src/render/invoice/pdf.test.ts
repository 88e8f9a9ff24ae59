import { describe, expect, test } from 'vitest'
import { testInTurn } from '../../testing/in-turn.ts'
import { languagesToRender } from '../../testing/languages.ts'
import { invoice, rendered, textOf } from '../../testing/printed-invoice.ts'
import type { InvoiceData } from './data.ts'
import { INVOICE_TEXTS } from './texts.ts'

describe('an invoice', () => {
  test('bears all that it must, Greek and Polish names and every identifier as whole text', async () => {
    const lines = invoice(30).lines.map((line, n) => (n === 0 ? { ...line, serial_number: 'F2LZK000000' } : line))
    const data = invoice(30, { lines })
    const pdf = await rendered(data, 'en')
    expect(pdf.includes('<pdfaid:part>3</pdfaid:part>')).toBe(true)
    const pages = await textOf(pdf)
    const text = pages.join(' ')
    for (const part of [
      ...['Invoice', '2026-00042', '18 March 2026', '17 March 2026', '1 April 2026', 'PO-88123'],
      ...['Backstock Trading Ltd', '12 Harbour Road', 'D01 F5P2 Dublin', 'Ireland', 'VAT number IE1234567T'],
      ...['Γιώργος Παπαδόπουλος', 'Łucja Żółć Sp. z o.o.', 'VAT number PL5260250274', 'Poland'],
      ...['Deliver to', '80-001 Gdańsk'],
      ...['IE29 AIBK 9311 5212 3456 78', 'AIBKIE2D', 'Goods remain ours until paid.'],
      ...['EUR 3,703.50', 'VAT 23% on 3,703.50', 'EUR 851.81', 'EUR 4,555.31', 'S/N F2LZK000000'],
    ])
      expect(text).toContain(part)
    for (const { imei, serial_number } of data.lines) expect(text).toContain(imei ?? serial_number)
    pages.forEach((page, index) => {
      expect(page).toContain(`Page ${index + 1} of ${pages.length}`)
      if (index > 0) expect(page).toContain('Invoice 2026-00042')
    })
    expect(text).not.toContain('Gross price')
  })

  test('is rendered in every language, two at once, with typed gross prices and without seller data', async () => {
    const base = invoice(2, { prices_include_vat: true })
    const bare = { ...base.seller, address: null, vat_number: null, email: null, payment_terms: null }
    const data = { ...base, seller: { ...bare, bank: { name: null, iban: null, bic: null } } }
    const pages = await Promise.all(
      languagesToRender().map(async (lang) => [lang, (await textOf(await rendered(data, lang))).join(' ')] as const),
    )
    for (const [lang, text] of pages) {
      const t = INVOICE_TEXTS[lang]
      for (const part of [t.invoice, t.grossPrice, t.total, t.pageOf(1, 1)]) expect(text).toContain(part)
      expect(text).toMatch(/151[.,]84/)
      expect(text).not.toMatch(/null|undefined/)
    }
  })

  test('says why no VAT is charged, as the rate is named: with the totals, and on each line if reasons differ', async () => {
    const base = invoice(3)
    const scheme = 'Margin scheme – Second-hand goods'
    const withReasons = (names: (string | undefined)[]): InvoiceData => ({
      ...base,
      lines: base.lines.map((line, n) => ({ ...line, vat_rate: 0, ...(names[n] && { vat_name: names[n] }) })),
      vat_totals: [{ rate: 0, net: base.total_net, vat: 0 }],
    })
    const texts = async (data: InvoiceData) => (await textOf(await rendered(data, 'en'))).join(' ')
    const one = await texts(withReasons([scheme, scheme, scheme]))
    expect(one).toContain(`VAT 0% on 370.35 EUR 0.00 ${scheme}`)
    expect(one.split(scheme)).toHaveLength(2)
    const two = await texts(withReasons(['Reverse charge', scheme, undefined]))
    expect(two).toMatch(new RegExp(`VAT 0% on 370.35 EUR 0.00 Reverse charge ${scheme}`))
    expect(two).toContain('Apple iPhone 13 0 Reverse charge')
    expect(two).toContain(`Apple iPhone 13 1 ${scheme}`)
    const [zero, ...taxed] = base.lines.map((line) => ({ ...line, treatment: 'standard' as const }))
    const some = await texts({
      ...base,
      lines: [{ ...zero!, vat_rate: 0, vat_name: 'Zero-rated' }, ...taxed],
      vat_totals: [
        { treatment: 'standard', rate: 2300, net: 24_690, vat: 5679 },
        { treatment: 'standard', rate: 0, net: 12_345, vat: 0 },
      ],
    })
    expect(some).toContain('VAT 23% on 246.90 EUR 56.79 VAT 0% on 123.45 EUR 0.00 Zero-rated')
  })

  test('says of each treatment what the law wants, in the invoice’s language and the seller’s', async () => {
    const base = invoice(3)
    const treatments = ['margin', 'intra_community', 'standard'] as const
    const mixed: InvoiceData = {
      ...base,
      seller: { ...base.seller, address: { ...base.seller.address!, country_code: 'NL' } },
      lines: base.lines.map((line, n) => ({ ...line, treatment: treatments[n]!, vat_rate: n === 2 ? 2300 : 0 })),
      vat_totals: treatments.map((treatment, n) => ({
        ...{ treatment, rate: n === 2 ? 2300 : 0, net: 12_345, vat: n === 2 ? 2839 : 0 },
      })),
    }
    const text = (await textOf(await rendered(mixed, 'de'))).join(' ').replaceAll('/ S', '/S')
    const scheme = 'Gebrauchtgegenstände/Sonderregelung'
    for (const part of [
      // A line has the words in one language only, so that many lines fit on a page. The totals have them in both
      // languages, with the provision.
      ...[
        `Apple iPhone 13 0 ${scheme} 356938035643809`,
        `${scheme} 123,45 EUR Bijzondere regeling - gebruikte goederen`,
      ],
      'Apple iPhone 13 1 Innergemeinschaftliche Lieferung 356938035643810',
      ...['USt. 23 % auf 123,45', '28,39'],
      'Innergemeinschaftliche Lieferung, Art. 138 Richtlinie 2006/112/EG Intracommunautaire levering, art. 138 Richtlijn',
    ])
      expect(text).toContain(part)
  })

  test('does not speak of VAT if all is sold under the margin scheme, and has an address once', async () => {
    const base = invoice(2, { prices_include_vat: true, total_vat: 0, total_gross: 24_690 })
    const used: InvoiceData = {
      ...base,
      buyer: { ...base.buyer, delivery_address: base.buyer.billing_address },
      lines: base.lines.map((line) => ({ ...line, price: line.net, vat_rate: 0, treatment: 'margin' })),
      vat_totals: [{ treatment: 'margin', rate: 0, net: 24_690, vat: 0 }],
    }
    const text = (await textOf(await rendered(used, 'en'))).join(' ')
    expect(text).toMatch(/Margin scheme - Second-hand goods EUR 246.90 Total EUR 246.90/)
    expect(text.replaceAll('VAT number', '')).not.toContain('VAT')
    expect(text).toContain('00-238 Warszawa')
    expect(text).not.toContain('Deliver to')
  })

  test('keeps totals whole, wraps endless words and shows that an unprintable name stood there', async () => {
    const base = invoice(24)
    const data = {
      ...base,
      seller: { ...base.seller, payment_terms: 'term '.repeat(190) },
      buyer: { ...base.buyer, company_name: `${'Donau'.repeat(50)} 深圳 \u202eZo\u0308e\u0000`, name: '<b>&' },
    }
    const pages = await textOf(await rendered(data, 'de'))
    const text = pages.join(' ')
    expect(text).toContain('\ufffd\ufffd Zöe')
    expect(text).toContain('<b>&')
    expect(text.replace(/ /g, '')).toContain('Donau'.repeat(50))
    const last = pages.at(-1)!
    for (const part of ['Nettobetrag', 'Rechnungsbetrag', 'Zahlung']) expect(last).toContain(part)
  })

  testInTurn('with 1,000 lines is rendered while the process goes on working', async () => {
    let beats = 0
    const beat = setInterval(() => {
      beats += 1
    }, 5)
    const pdf = await rendered(invoice(1000), 'en')
    clearInterval(beat)
    const text = (await textOf(pdf)).join(' ')
    for (const { imei, serial_number } of invoice(1000).lines) expect(text).toContain(imei ?? serial_number)
    expect(beats).toBeGreaterThan(10)
  })

  test('that cannot be drawn is refused with its number, and the next one is drawn', async () => {
    const base = invoice(1)
    const broken = { ...base, seller: { ...base.seller, logo: 'data:image/png;base64,AAAA' } }
    await expect(rendered(broken, 'en')).rejects.toThrow(/^Invoice 2026-00042 could not be rendered: /)
    const reading = { ...base, seller: { ...base.seller, logo: '/etc/hostname' } }
    await expect(rendered(reading, 'en')).rejects.toThrow(/could not be rendered/)
    expect(await textOf(await rendered(base, 'en'))).toHaveLength(1)
  })
})
