import { expect, test } from 'vitest'
import { proposalOf } from './meaning.ts'

test.each([
  ['Marge', 'margin'],
  ['Differenzbesteuert', 'margin'],
  ['REBU', 'margin'],
  ['Margin 0%', 'margin'],
  ['VAT exempt', 'exempt'],
  ['Exonérée', 'exempt'],
  ['Exento', 'exempt'],
  ['Esente', 'exempt'],
  ['Vrijgesteld', 'exempt'],
  ['Befreit', 'exempt'],
  ['Umsatzsteuerfrei 0%', 'exempt'],
  ['Zero rate', 'zero'],
  ['Nultarief', 'zero'],
  ['0 %', 'zero'],
  ['10%', null],
  ['Reverse charge', null],
] as const)('the name %s of a rate of 0 suggests %s', (name, treatment) => {
  expect(proposalOf(name)).toBe(treatment)
})
