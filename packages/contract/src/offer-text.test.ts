import fc from 'fast-check'
import { expect, test } from 'vitest'
import { INVOICE_LANGUAGES } from './invoice-language.ts'
import { type GroupedItem, groupItems } from './item-groups.ts'
import type { OfferGroup } from './offer.ts'
import { devicesIn, type OfferTerms, offerLines, unpricedIn, withPercent } from './offer-lines.ts'
import { offerText } from './offer-text.ts'
import { OFFER_WORDS } from './offer-words.ts'
import { readPercent } from './percent.ts'

const group = (changes: Partial<OfferGroup> = {}): OfferGroup => ({
  product_id: 1,
  grade_id: 1,
  product: 'Apple iPhone 13 128 GB',
  grade: 'A',
  quantity: 12,
  unpriced: 0,
  lowest: 24_900,
  highest: 24_900,
  ...changes,
})
const terms = (changes: Partial<OfferTerms> = {}): OfferTerms => ({
  lang: 'en',
  prices: true,
  percent: 0,
  unpriced: true,
  ...changes,
})
const offer = (groups: OfferGroup[]) => ({ seller: 'Phones Ltd', date: '2026-03-18', groups, not_sellable: 0 })

test('the text names quantity, product, grade and price of each line, a range if prices differ', () => {
  const groups = [
    group(),
    group({ grade: 'B', quantity: 3, lowest: 19_900, highest: 121_900 }),
    group({ grade: null, quantity: 2, unpriced: 2, lowest: null, highest: null }),
    group({ product: 'Google Pixel 7a', quantity: 5, unpriced: 1 }),
  ]
  expect(offerText(offer(groups), terms())).toBe(
    [
      'Phones Ltd\nOffer, 18 March 2026',
      [
        '12 × Apple iPhone 13 128 GB, A: 249.00',
        '3 × Apple iPhone 13 128 GB, B: from 199.00 to 1,219.00',
        '2 × Apple iPhone 13 128 GB: price on request',
        '5 × Google Pixel 7a, A: 249.00 (1 × price on request)',
      ].join('\n'),
      'Devices: 22\nAll prices in EUR. Subject to prior sale.',
    ].join('\n\n'),
  )
  const german = offerText(offer(groups), terms({ lang: 'de', percent: -300, unpriced: false }))
  expect(german).toContain('Angebot, 18.03.2026')
  expect(german).toContain('3 × Apple iPhone 13 128 GB, B: von 193,03 bis 1.182,43')
  expect(german).toContain('4 × Google Pixel 7a, A: 241,53\n')
  expect(german).not.toContain('Anfrage')
  expect(german).toContain('Geräte: 19\nAlle Preise in EUR. Zwischenverkauf vorbehalten.')
  const bare = offerText(offer(groups), terms({ prices: false, unpriced: false }))
  expect(bare).toContain('2 × Apple iPhone 13 128 GB\n')
  expect(bare).toContain('Devices: 22\nSubject to prior sale.')
  expect(bare).not.toMatch(/EUR|249|request/)
})

test('each language has all words of an offer', () => {
  const groups = [group({ highest: 25_900 }), group({ unpriced: 12, lowest: null, highest: null })]
  const said = INVOICE_LANGUAGES.map((lang) => {
    const [head, lines, end] = offerText(offer(groups), terms({ lang })).split('\n\n')
    const { date, product, grade, quantity, price } = OFFER_WORDS[lang]
    const prices = lines!.split('\n').map((line) => line.split(': ')[1]!.replace(/\d+[.,]\d\d/g, '#'))
    return [head!.split('\n')[1]!.split(',')[0], date, product, grade, quantity, price, ...prices, ...end!.split('\n')]
      .join(' | ')
      .replaceAll('EUR', '€')
  })
  expect(said).toEqual([
    'Offer | Date | Product | Grade | Qty | Price | from # to # | price on request | Devices: 24 | All prices in €. Subject to prior sale.',
    'Angebot | Datum | Produkt | Zustand | Menge | Preis | von # bis # | Preis auf Anfrage | Geräte: 24 | Alle Preise in €. Zwischenverkauf vorbehalten.',
    'Offre | Date | Produit | Grade | Qté | Prix | de # à # | prix sur demande | Appareils: 24 | Tous les prix en €. Sous réserve de vente entre-temps.',
    'Aanbieding | Datum | Product | Grade | Aantal | Prijs | van # tot # | prijs op aanvraag | Toestellen: 24 | Alle prijzen in €. Tussentijdse verkoop voorbehouden.',
    'Oferta | Fecha | Producto | Grado | Cant. | Precio | de # a # | precio a consultar | Dispositivos: 24 | Todos los precios en €. Salvo venta previa.',
    'Offerta | Data | Prodotto | Grado | Q.tà | Prezzo | da # a # | prezzo su richiesta | Dispositivi: 24 | Tutti i prezzi in €. Salvo venduto.',
    'Oferta | Data | Produkt | Klasa | Ilość | Cena | od # do # | cena na zapytanie | Urządzenia: 24 | Wszystkie ceny w €. Oferta ważna do wyczerpania zapasów.',
  ])
})

test('a percentage is read with a point or a comma, and what is none is refused', () => {
  expect(['-3', '2,5', '+2.25', '', ' 0 ', '-0'].map((text) => readPercent(text))).toEqual([-300, 250, 225, 0, 0, 0])
  expect(['x', '3%', '-90.01', '201', '1.234', '--3', '1e2'].map((text) => readPercent(text))).toEqual(
    Array(7).fill(null),
  )
  expect([withPercent(24_999, -300), withPercent(1, 5_000), withPercent(100_000_000, 20_000)]).toEqual([
    24_249, 2, 300_000_000,
  ])
})

const item = fc.record({
  id: fc.nat(),
  actual_product_id: fc.integer({ min: 1, max: 4 }),
  grade_id: fc.constantFrom(null, 1, 2),
  sales_price: fc.option(fc.nat(100_000_000)),
  cost: fc.nat(100_000_000),
})
const named = (given: { actual_product_id: number; grade_id: number | null }) => ({
  ...given,
  product_display_name: `Phone ${given.actual_product_id}`,
  grade_name: given.grade_id === null ? null : 'AB'[given.grade_id - 1]!,
})

test('groups hold each item once, and their figures add up to those of the items', () => {
  fc.assert(
    fc.property(fc.array(item), (given) => {
      const items = given.map((one) => named(one) as GroupedItem)
      const groups = groupItems(items)
      expect(groups.flatMap((one) => one.items).toSorted((a, b) => items.indexOf(a) - items.indexOf(b))).toEqual(items)
      expect(new Set(groups.map(({ product, grade }) => `${product} ${grade}`)).size).toBe(groups.length)
      expect(groups.reduce((sum, { cost }) => sum + cost, 0)).toBe(items.reduce((sum, { cost }) => sum + cost, 0))
      for (const { items: alike, unpriced, lowest, highest } of groups) {
        const prices = alike.flatMap(({ sales_price }) => sales_price ?? [])
        expect(unpriced).toBe(alike.length - prices.length)
        expect([lowest, highest]).toEqual(prices.length ? [Math.min(...prices), Math.max(...prices)] : [null, null])
      }
      const offered = groups.map(({ items: alike, ...one }) => group({ ...one, quantity: alike.length }))
      const all = offerLines(offered, terms())
      expect([devicesIn(all), unpricedIn(all)]).toEqual([items.length, unpricedIn(groups)])
      const priced = offerLines(offered, terms({ unpriced: false }))
      expect(devicesIn(priced)).toBe(items.filter(({ sales_price }) => sales_price !== null).length)
      expect(unpricedIn(priced)).toBe(0)
    }),
  )
})
