import { expect, test } from 'vitest'
import { saidInTitles } from './import-titles.ts'

type Titles = Parameters<typeof saidInTitles>
test.each<[Titles, ReturnType<typeof saidInTitles>]>([
  [[['Date: 24.11.2026', 'All prices in GBP'], null], { purchase_currency: 'GBP', purchase_date: '2026-11-24' }],
  [[['GBP, all in GBP'], null], { purchase_currency: 'GBP' }],
  [[['Price £', 'Shipping USD'], null], {}],
  [[['All prices in EUR'], null], {}],
  [[['All prices in $'], null], {}],
  [[['All prices in $'], null, 'CAD'], { purchase_currency: 'CAD' }],
  [[['All prices in $', 'Fees in USD'], null], {}],
  [[['11/05/2026'], null], {}],
  [[['11/05/2026'], 'month'], { purchase_date: '2026-11-05' }],
  [[['11/05/2026'], 'day'], { purchase_date: '2026-05-11' }],
  [[['25/05/2026'], 'month'], { purchase_date: '2026-05-25' }],
  [[['1.2.2026 is 2026-02-01'], 'day'], { purchase_date: '2026-02-01' }],
  [[['1.2.2026', '3.2.2026'], 'day'], {}],
  [[['Offer 11.24.11.2026'], 'day'], {}],
  [[[`${'x '.repeat(100)}GBP`], null], {}],
])('what the titles %j say', (given, said) => {
  expect(saidInTitles(...given)).toEqual(said)
})
