import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pastedAddress } from './pasted-address.ts'

test.each([
  ['Damrak 1\n1012 LG Amsterdam', ['Damrak 1', '', '1012 LG', 'Amsterdam', null]],
  ['ul. Długa 5\r\n\r\n90-001 Łódź\r\nPoland', ['ul. Długa 5', '', '90-001', 'Łódź', 'PL']],
  ['Foxway AB\nStorgatan 7, \n 114 55  Stockholm\nSweden ', ['Storgatan 7', 'Foxway AB', '114 55', 'Stockholm', 'SE']],
  ['10 Downing Street\nLondon SW1A 2AA\nUnited Kingdom', ['10 Downing Street', '', 'SW1A 2AA', 'London', 'GB']],
  ['1 Quay\nFloor 2\nDublin, D02 X285', ['1 Quay', 'Floor 2', 'D02 X285', 'Dublin', null]],
  ['Brīvības iela 1\nRīga, LV-1010', ['Brīvības iela 1', '', 'LV-1010', 'Rīga', null]],
  ['Rua Augusta 1\n1100-048 Lisboa', ['Rua Augusta 1', '', '1100-048', 'Lisboa', null]],
  ['Rue Neuve 1\n7100 La Louvière', ['Rue Neuve 1', '', '7100', 'La Louvière', null]],
  ['RUE NEUVE 1\n7100 LA LOUVIÈRE\nBelgium', ['RUE NEUVE 1', '', '7100', 'LA LOUVIÈRE', 'BE']],
  ['Rue Neuve 1\nB-7100 LA LOUVIÈRE', ['Rue Neuve 1', '', 'B-7100', 'LA LOUVIÈRE', null]],
  ['Rue Neuve 1\n2400 Le Locle\nSwitzerland', ['Rue Neuve 1', '', '2400', 'Le Locle', 'CH']],
  ['Dorpsstraat 1\n5076 De Bilt', ['Dorpsstraat 1', '', '5076', 'De Bilt', null]],
  ['Damrak 1\nNL-1012LG AMSTERDAM\nNetherlands', ['Damrak 1', '', 'NL-1012LG', 'AMSTERDAM', 'NL']],
  ['4Phones BV\nDamrak 1\n1012 LG Amsterdam', ['Damrak 1', '4Phones BV', '1012 LG', 'Amsterdam', null]],
  ['4Phones BV\nDamrak 12a\n1012 LG Amsterdam', ['Damrak 12a', '4Phones BV', '1012 LG', 'Amsterdam', null]],
  ['4G Phones BV\nDamrak 12-3\n1012 LG Amsterdam', ['Damrak 12-3', '4G Phones BV', '1012 LG', 'Amsterdam', null]],
  ['Unit 5\n10 High Street\nLondon SW1A 2AA', ['10 High Street', 'Unit 5', 'SW1A 2AA', 'London', null]],
  ['4Phones BV\nDe Oude Werf\n1012 LG Amsterdam', ['De Oude Werf', '4Phones BV', '1012 LG', 'Amsterdam', null]],
])('%j', (text, [address_1, address_2, postal_code, city, country_code]) => {
  expect(pastedAddress(text!)).toEqual({ address_1, address_2, postal_code, city, country_code })
})

test.each(['Damrak 1', 'Damrak 1, 1012 LG Amsterdam', 'one\ntwo', '356938035643809\n356938035643817', '', '\n\n'])(
  'no address: %j',
  (text) => {
    expect(pastedAddress(text!)).toBeNull()
  },
)

test('nothing that was pasted is lost, and no part holds what a field refuses', () => {
  const word = fc.stringMatching(/^[A-Za-z]{2,9}$/)
  const line = fc.tuple(word, fc.nat(99)).map(([street, no]) => `${street} ${no}`)
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 1, maxLength: 3 }),
      fc.integer({ min: 1000, max: 99_999 }),
      word,
      (above, code, city) => {
        const found = pastedAddress([...above, `${code} ${city}`].join('\n'))!
        for (const one of [...above, String(code), city]) expect(Object.values(found).join(' ')).toContain(one)
        expect(Object.values(found).join('')).not.toMatch(/[\r\n]/)
      },
    ),
  )
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => void pastedAddress(text)))
})
