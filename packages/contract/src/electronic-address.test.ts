import { expect, test } from 'vitest'
import { ADDRESS_KINDS, addressParts, addressProblem, registeredNumber, storedAddress } from './electronic-address.ts'
import { isLeitwegId, leitwegIdProblem } from './leitweg-id.ts'

test('an address is stored without the signs between its parts, and its kind decides whether it is right', () => {
  const right: [typed: string, stored: string][] = [
    ['0106: KvK 1234 5678', '0106:12345678'],
    [' 0106:12345678 ', '0106:12345678'],
    ['0190:00000003123456780000', '0190:00000003123456780000'],
    ['0204:04011000-1234512345-06', '0204:04011000-1234512345-06'],
    ['0208:BE 0202.239.951', '0208:0202239951'],
    ['0088:7300010000001', '0088:7300010000001'],
    ['0007:556036-0793', '0007:5560360793'],
    ['0192:974 760 673', '0192:974760673'],
    ['9930: de 136 695 976', '9930:DE136695976'],
    ['EM:rechnung@amt.example', 'EM:rechnung@amt.example'],
  ]
  for (const [typed, stored] of right) expect([storedAddress(typed), addressProblem(stored)]).toEqual([stored, null])
  const wrong: [stored: string, problem: RegExp][] = [
    ['12345678', /Choose the kind/],
    ['0106:1234567', /^Must have 8 digits\.$/],
    ['0106:', /8 digits/],
    ['0208:0202239952', /check digits/],
    ['0088:7300010000002', /check digits/],
    ['0007:5560360794', /check digits/],
    ['0192:974760674', /check digits/],
    ['0204:04011000-1234512345-07', /check digits/],
    ['9930:NL136695976', /^Must begin with DE\.$/],
    ['EM:nobody', /^Must be an email address\.$/],
    ['4711:12345678', /not a kind/],
  ]
  for (const [stored, problem] of wrong) expect(addressProblem(stored)).toMatch(problem)
})

test('no kind of address allows a colon, a blank or a text of any length before its check', () => {
  for (const scheme of Object.keys(ADDRESS_KINDS)) {
    expect(addressProblem(`${scheme}:`)).not.toBeNull()
    expect(addressProblem(`${scheme}:${'1'.repeat(200)}`)).not.toBeNull()
    expect(addressProblem(`${scheme}:1 2`)).not.toBeNull()
  }
})

test('a buyer’s reference is doubted only if it has the form of a Leitweg-ID with other check digits', () => {
  expect(isLeitwegId('04011000-1234512345-06')).toBe(true)
  expect(isLeitwegId('992-90009-96')).toBe(true)
  expect(['04011000-AB12-08', '04011000-ab12-08', '04011000-AB13-08'].map(isLeitwegId)).toEqual([true, true, false])
  for (const other of [null, 'PO 4711', '2026-17', '4500012345-10-12', '04011000-1234512345-06'])
    expect(leitwegIdProblem(other)).toBeNull()
  expect(leitwegIdProblem('04011000-1234512345-60')).toMatch(/check digits/)
})

test('a registration is a number of its register if the country has such numbers', () => {
  expect(registeredNumber('KvK 12345678', 'NL')).toEqual({ scheme: '0106', id: '12345678' })
  expect(registeredNumber('00000003123456780000', 'NL')).toEqual({ scheme: '0190', id: '00000003123456780000' })
  expect(registeredNumber('RPM Bruxelles 0202.239.951', 'BE')).toEqual({ scheme: '0208', id: '0202239951' })
  expect(registeredNumber('CVR 1358 5628', 'DK')).toEqual({ scheme: '0184', id: '13585628' })
  expect(registeredNumber('974 760 673 MVA', 'NO')).toEqual({ scheme: '0192', id: '974760673' })
  expect(registeredNumber('556036-0793', 'SE')).toEqual({ scheme: '0007', id: '5560360793' })
  expect(registeredNumber('556036-0794', 'SE')).toBeUndefined()
  expect(registeredNumber('HRB 4711', 'DE')).toBeUndefined()
  expect(registeredNumber('1234', 'NL')).toBeUndefined()
  expect(registeredNumber(null, 'NL')).toBeUndefined()
})

test.each([
  [' 0106: 12345678 ', '0106', '12345678'],
  ['0088:1:2', '0088', '1:2'],
  ['0106:', '0106', ''],
  [' 12345678 ', '', '12345678'],
  ['KvK 0106:12345678', '', 'KvK 0106:12345678'],
  ['0106:123\n456', '0106', '123\n456'],
])('the kind and the number of %j are %j and %j', (text, scheme, id) => {
  expect(addressParts(text)).toEqual({ scheme, id })
})
