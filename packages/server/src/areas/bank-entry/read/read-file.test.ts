import { MAX_PAYMENT } from '@backstock/contract/payment-state.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ACCOUNT, camt053, mt940, type WrittenEntry } from '../../../testing/bank-file.ts'
import { SEED } from '../../../testing/chance.ts'
import { encoded } from '../../../testing/encoded.ts'
import { packedText, zipOf } from '../../../testing/xlsx.ts'
import { readBankFile } from './read-file.ts'

const read = async (text: string | Buffer) => (await readBankFile(Buffer.from(text as string))).lines
const why = (text: string | Buffer) =>
  readBankFile(Buffer.from(text as string)).then(
    () => 'read',
    (error: Error) => error.message,
  )
const asRead = (entries: readonly WrittenEntry[]) =>
  entries.map((entry) => ({
    account: ACCOUNT,
    booked_on: entry.day,
    amount: entry.amount,
    is_reversal: entry.isReversal ?? false,
    name: entry.name ?? null,
    iban: entry.iban ?? null,
    end_to_end: entry.end_to_end ?? null,
    bank_reference: entry.reference ?? null,
    remittance: entry.text ?? '',
  }))

const word = fc.stringMatching(/^[A-Za-z0-9]{1,12}$/)
const words = (most: number) => fc.array(word, { minLength: 1, maxLength: most }).map((some) => some.join(' '))
const entry: fc.Arbitrary<WrittenEntry> = fc.record(
  {
    amount: fc.integer({ min: 1, max: 99_999_999 }).chain((amount) => fc.constantFrom(amount, -amount)),
    day: fc
      .date({ min: new Date('2020-01-01'), max: new Date('2039-12-31'), noInvalidDate: true })
      .map((day) => day.toISOString().slice(0, 10)),
    text: words(8),
    name: words(3),
    iban: fc.constantFrom('DE89370400440532013000', 'NL91ABNA0417164300', 'PL61109010140000071219812874'),
    end_to_end: word.map((text) => `E${text}`),
    reference: word.map((text) => `R${text}`),
    isReversal: fc.boolean(),
  },
  { requiredKeys: ['amount', 'day', 'text'] },
)
const all = { seed: SEED, numRuns: 60 }

test.each(['02', '04', '08'] as const)('CAMT.053 of version %s gives back what was written', async (version) => {
  await fc.assert(
    fc.asyncProperty(fc.array(entry, { maxLength: 4 }), async (entries) => {
      expect(await read(camt053(entries, { version }))).toEqual(asRead(entries))
    }),
    all,
  )
})

test.each(['german', 'dutch'] as const)('MT940 in the %s way gives back what was written', async (dialect) => {
  const squeezed = (text: string | null) => text?.replaceAll(' ', '')
  await fc.assert(
    fc.asyncProperty(fc.array(entry, { minLength: 1, maxLength: 4 }), async (entries) => {
      const lines = await read(mt940(entries, { dialect }))
      // No reader can keep a blank at the end of a line, so blanks are not compared.
      expect(
        lines.map((line) => ({ ...line, remittance: squeezed(line.remittance), name: squeezed(line.name) })),
      ).toMatchObject(
        asRead(entries).map((line) => ({
          ...line,
          end_to_end: line.end_to_end ?? null,
          remittance: squeezed(line.remittance),
          name: squeezed(line.name),
        })),
      )
    }),
    all,
  )
})

test('MT940 in plain text, in an envelope, over the turn of the year, and of ING', async () => {
  const text = mt940(
    [{ amount: 5000, day: '2026-01-02', text: 'Invoice 2026-00001', iban: 'DE89370400440532013000' }],
    {
      dialect: 'plain',
    },
  )
  const enveloped = `{1:F01INGBNL2ABXXX0000000000}{2:I940INGBNL2AXXXN}{4:\r\n${text}}`
  expect(await read(enveloped)).toMatchObject([
    { amount: 5000, booked_on: '2026-01-02', iban: 'DE89370400440532013000', bank_reference: null },
  ])
  const late = text.replace(/:61:.*/, ':61:2512310102C50,NTRFNONREF')
  expect(await read(late)).toMatchObject([{ booked_on: '2026-01-02', amount: 5000 }])
  const early = text.replace(/:61:.*/, ':61:2601021231C50,NTRFNONREF')
  expect(await read(early)).toMatchObject([{ booked_on: '2025-12-31', amount: 5000 }])
  const ing = text.replace(
    /:86:.*/,
    ':86:/EREF/E1//CNTP/NL91ABNA0417164300/ABNANL2A/J. Jansen BV///REMI/USTD//2026-00\r\n001 thanks/',
  )
  expect(await read(ing)).toMatchObject([
    { name: 'J. Jansen BV', iban: 'NL91ABNA0417164300', remittance: '2026-00001 thanks', end_to_end: 'E1' },
  ])
})

test.each([
  ['NTRF//B17', null, 'B17'],
  ['NTRFNONREF//B17', null, 'B17'],
  ['NTRFEREF//B17\r\n/TRCD/00100/', null, 'B17'],
  ['NTRFEREF\r\n/TRCD/00100/', null, null],
  ['NTRFKREF+//B17', null, 'B17'],
  ['NOV NONREF', null, null],
  ['N//B17', null, 'B17'],
  ['NTRF', null, null],
  ['S103E9//B17', 'E9', 'B17'],
  ['NTRFE9\r\nP001234567', 'E9', 'P001234567'],
  ['NTRFE9\r\nNL91ABNA0417164300', 'E9', null],
])('field 61 of MT940 ending in %j has the references %s and %s', async (end, end_to_end, bank_reference) => {
  const text = mt940([{ amount: 5000, day: '2026-11-02', text: 'Invoice 7' }], { dialect: 'plain' })
  expect(await read(text.replace('NTRFNONREF', end))).toMatchObject([{ amount: 5000, end_to_end, bank_reference }])
})

test('the mark of an entry in MT940 says whether money came or went, also if the bank only expects it', async () => {
  const text = mt940([{ amount: 5000, day: '2026-11-02', text: 'Invoice 7' }])
  // Some banks write the last letter of the currency behind the mark.
  const amounts = ['C', 'CR', 'EC', 'RD', 'D', 'DR', 'ED', 'RC'].map(async (mark) => {
    const [one] = await read(text.replace('C50,00', `${mark}50,00`))
    return [mark, one!.amount]
  })
  expect(Object.fromEntries(await Promise.all(amounts))).toEqual({
    ...{ C: 5000, CR: 5000, EC: 5000, RD: 5000, D: -5000, DR: -5000, ED: -5000, RC: -5000 },
  })
})

test.each([
  // The parts of the payer are keys of the text.
  [
    '166?00GUTSCHRIFT?20SVWZ+Invoice 7?21ABWA+Ada?22IBAN+DE89370400440532013000',
    'Ada',
    'DE89370400440532013000',
    'Invoice 7',
  ],
  // Another sign separates the parts.
  ['166<00GUTSCHRIFT<20Invoice 7<31DE89370400440532013000<32Ada', 'Ada', 'DE89370400440532013000', 'Invoice 7'],
  // The bank's own fields count before keys of the text, and the first of equal keys before others.
  [
    '166?20SVWZ+Invoice 7?21ABWA+Bob?22IBAN+NL91ABNA0417164300?23SVWZ+8?31DE89370400440532013000?32Ada',
    'Ada',
    'DE89370400440532013000',
    'Invoice 7',
  ],
  ['/NAME/Ada/CREF/2026-00007', 'Ada', null, '2026-00007'],
  ['/NAME/Ada/REMI/STRD//2026-00007//', 'Ada', null, '2026-00007'],
])('field 86 of MT940 with %j names payer, account and text', async (details, name, iban, remittance) => {
  const text = mt940([{ amount: 5000, day: '2026-11-02' }], { dialect: 'plain' })
  expect(await read(text.replace(/:86:.*/, `:86:${details}`))).toMatchObject([{ name, iban, remittance }])
})

test('a long text in the German way is read to its end', async () => {
  const text = `${'x'.repeat(320)} 2026-00042`
  expect(await read(mt940([{ amount: 5000, day: '2026-11-02', text }]))).toMatchObject([{ remittance: text }])
})

test('CAMT.053 with a structured reference: each of its parts is in the text of the entry', async () => {
  const structured = `<Strd><RfrdDocInf><Nb>2026-00042</Nb></RfrdDocInf>
    <CdtrRefInf><Ref>RF18539007547034</Ref></CdtrRefInf><AddtlRmtInf>Second half</AddtlRmtInf></Strd>`
  const file = camt053([{ amount: 5000, day: '2026-11-02', text: 'x' }]).replace('<Ustrd>x</Ustrd>', structured)
  const [one] = await read(file)
  for (const part of ['2026-00042', 'RF18539007547034', 'Second half']) expect(one!.remittance).toContain(part)
})

test('the second line of field 61 may be the account of the other party, as Rabobank writes it', async () => {
  const rabobank = [
    ...[':940:', ':20:940S130101', ':25:NL71RABO0123456789', ':28C:0', ':60F:C130101EUR000000001000,00'],
    ...[':61:130101D000000000025,00N102EREF            ', 'NL70ABNA0987654321'],
    ':86:/EREF/01-01-2013 12:00 0030000987654321/BENM//NAME/J. DE VRIES/REMI//ISDT/2013-07-11',
    ...[':61:130102D000000000010,00N154NONREF          ', 'P001234567'],
    ...[':86:/BENM//NAME/JOHN DOE/REMI/Reference 201301234/ISDT/2013-01-02', ':62F:C130108EUR000000000965,00'],
  ].join('\n')
  expect(await read(rabobank)).toMatchObject([
    {
      ...{ amount: -2500, name: 'J. DE VRIES', end_to_end: '01-01-2013 12:00 0030000987654321' },
      ...{ iban: 'NL70ABNA0987654321', bank_reference: null },
    },
    { amount: -1000, name: 'JOHN DOE', iban: null, bank_reference: 'P001234567', remittance: 'Reference 201301234' },
  ])
  // An IBAN in field 86 has precedence.
  const both = mt940([{ amount: 1, day: '2026-11-02', iban: 'DE89370400440532013000' }], { dialect: 'dutch' })
  expect(await read(both.replace('NTRFNONREF', 'NTRFNONREF\r\nNL70ABNA0987654321'))).toMatchObject([
    { iban: 'DE89370400440532013000', bank_reference: null },
  ])
})

test('an MT940 file that is cut anywhere behind its first entry is refused', async () => {
  const day = '2026-11-02'
  const whole = mt940([
    { amount: 123_456, day, text: 'Invoice 2026-00001', name: 'Ada', reference: 'B17' },
    { amount: 5000, day, text: 'Invoice 2026-00002', iban: 'DE89370400440532013000' },
  ])
  expect(await read(whole)).toHaveLength(2)
  const closing = whole.indexOf(':62F:')
  for (let end = whole.indexOf(':61:') + ':61:'.length; end < closing + ':62F:'.length; end++)
    expect([end, await why(whole.slice(0, end))]).toEqual([end, expect.stringContaining('MT940 file cannot be read')])
  const cut = whole.slice(0, closing)
  for (const text of [cut, `${cut}-`, `${cut}${whole}`])
    expect(await why(text)).toBe(
      'This MT940 file cannot be read: no closing balance (field 62F or 62M) follows the entries of a statement. Download the file again.',
    )
  const pages = `${whole.replace(':62F:', ':62M:')}\r\n${whole.replace(':60F:', ':60M:')}`
  expect(await read(pages)).toHaveLength(4)
  expect(await why(whole.replace('C50,00', 'C50'))).toContain("'50' is not an amount")
})

test('an entry of 0,00 in MT940 is skipped, as in CAMT.053', async () => {
  const entries = [0, 100, 0].map((amount) => ({ amount, day: '2026-11-30', text: 'Month closed' }))
  expect(await read(mt940(entries))).toMatchObject([{ amount: 100 }])
  expect(await read(camt053(entries))).toMatchObject([{ amount: 100 }])
})

test('texts in Windows-1252, a ZIP of several, and entries that are pending at the bank', async () => {
  const entries = [{ amount: 100, day: '2026-11-02', text: 'Rückzahlung für Gerät', name: 'Müller & Söhne' }]
  expect(await read(encoded(mt940(entries), 'windows-1252'))).toMatchObject([{ remittance: 'Rückzahlung für Gerät' }])
  const latin = camt053(entries).replace('UTF-8', 'ISO-8859-1')
  expect(await read(encoded(latin, 'windows-1252'))).toEqual(asRead(entries))
  const wide = Buffer.from(`\ufeff${camt053(entries)}`, 'utf16le')
  expect(await read(wide)).toEqual(asRead(entries))
  expect(await read(wide.swap16())).toEqual(asRead(entries))
  const later = entries.map((entry) => ({ ...entry, amount: 300 }))
  const announced = camt053([{ amount: 200, day: '2026-11-03', state: 'PDNG' }, ...entries])
  const zip = zipOf({ 'A.XML': announced, 'statement.pdf': '%PDF-', 'b.sta': mt940(later) })
  expect(await readBankFile(zip)).toMatchObject({ not_booked: 1, lines: [{ name: 'Müller & Söhne' }, { amount: 300 }] })
})

test.each(['02', '04', '08'] as const)(
  'an entry that CAMT.053 of version %s announces is not read',
  async (version) => {
    const entry = { amount: 100, day: '2026-11-02' }
    const file = camt053([{ ...entry, state: 'PDNG' }, entry, { ...entry, state: 'INFO' }], { version })
    expect(await readBankFile(Buffer.from(file))).toMatchObject({ not_booked: 2, lines: [{ amount: 100 }] })
  },
)

test('long files are read in pieces, and nothing is lost between two of them', async () => {
  const entries = Array.from({ length: 3000 }, (_, n) => ({
    ...{ amount: n + 1, day: '2026-11-02', text: `€${'ü'.repeat(n % 60)} ${n}`, iban: 'DE89370400440532013000' },
  }))
  expect(await read(camt053(entries))).toEqual(asRead(entries))
  for (const lineBreak of ['\r\n', '\n', '\r'])
    expect(await read(mt940(entries).replaceAll('\r\n', lineBreak))).toEqual(asRead(entries))
  const endless = mt940([{ amount: 1, day: '2026-11-02', text: 'x' }]).replace('SVWZ+x', `SVWZ+${'x'.repeat(2 ** 24)}`)
  expect(await read(endless)).toMatchObject([{ amount: 1, remittance: expect.stringMatching(/^x{999}…$/) }])
})

test('an entry of several transactions is split if they say their amounts', async () => {
  const transaction = (amount: string, text: string) =>
    `<TxDtls><Refs><TxId>${text}</TxId></Refs><AmtDtls><TxAmt><Amt Ccy="EUR">${amount}</Amt></TxAmt></AmtDtls>
      <RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls>`
  const together = (...transactions: string[]) =>
    camt053([{ amount: 30_000, day: '2026-11-02' }]).replace(
      /<NtryDtls>.*<\/NtryDtls>/s,
      `<NtryDtls>${transactions.join('')}</NtryDtls>`,
    )
  expect(await read(together(transaction('100.00', 'one'), transaction('200.00', 'two')))).toMatchObject([
    { amount: 10_000, remittance: 'one', bank_reference: 'one' },
    { amount: 20_000, remittance: 'two', bank_reference: 'two' },
  ])
  expect(await read(together(transaction('100.00', 'one'), transaction('100.00', 'two')))).toMatchObject([
    { amount: 30_000, remittance: 'one two' },
  ])
  // One of the transactions goes the other way than their sum.
  const back = transaction('100.00', 'back').replace('<AmtDtls>', '<CdtDbtInd>DBIT</CdtDbtInd><AmtDtls>')
  expect(await read(together(transaction('400.00', 'one'), back))).toMatchObject([
    { amount: 40_000, remittance: 'one' },
    { amount: -10_000, remittance: 'back' },
  ])
  const unsaid = transaction('1', 'three').replace(/<AmtDtls>.*<\/AmtDtls>/, '')
  expect(await read(together(transaction('300.00', 'one'), unsaid))).toMatchObject([
    { amount: 30_000, remittance: 'one three' },
  ])
  const parts = [transaction('300.00', 'one').replace(/<TxId>.*<\/TxId>/, ''), transaction('0.00', 'fee')]
  const named = together(...parts).replace('<BkTxCd/>', '<AcctSvcrRef>B17</AcctSvcrRef>')
  expect(await read(named)).toMatchObject([{ amount: 30_000, remittance: 'one', bank_reference: 'B17' }])
})

test('CAMT.053 of a bank that leaves out what the account says, the state, or a text for the payee', async () => {
  const file = camt053([{ amount: 5000, day: '2026-11-02' }])
  const unsaid = file.replace('<Ntry><Amt Ccy="EUR">', '<Ntry><Amt>')
  expect(await read(unsaid.replace('<Sts>BOOK</Sts>', ''))).toMatchObject([{ amount: 5000 }])
  expect(await why(unsaid.replace('<Ccy>EUR</Ccy>', ''))).toBe(
    `This file has amounts of account ${ACCOUNT} without a currency; sales are in EUR.`,
  )
  expect(await read(file.replace('</Ntry>', '<AddtlNtryInf>Invoice 7</AddtlNtryInf></Ntry>'))).toMatchObject([
    { amount: 5000, remittance: 'Invoice 7' },
  ])
})

test.each([
  ['<BookgDt><Dt>2026-11-03</Dt></BookgDt><ValDt><Dt>2026-11-05</Dt></ValDt>', '2026-11-03'],
  ['<BookgDt><DtTm>2026-11-03T23:59:59+01:00</DtTm></BookgDt><ValDt><Dt>2026-11-05</Dt></ValDt>', '2026-11-03'],
  ['<ValDt><Dt>2026-11-05</Dt></ValDt>', '2026-11-05'],
  ['<ValDt><DtTm>2026-11-05T00:00:00Z</DtTm></ValDt>', '2026-11-05'],
])('CAMT.053 with %s: the entry is of %s', async (days, booked_on) => {
  const file = camt053([{ amount: 5000, day: '2026-11-02' }])
  expect(await read(file.replace(/<BookgDt>.*<\/ValDt>/, days))).toMatchObject([{ amount: 5000, booked_on }])
})

test('CAMT.053 of an account without an IBAN, and with the reference of the bank beside the transaction', async () => {
  const file = camt053([{ amount: 5000, day: '2026-11-02' }])
  const othr = file.replace(`<IBAN>${ACCOUNT}</IBAN>`, '<Othr><Id>0012-345 678</Id></Othr>')
  expect(await read(othr.replace('<Refs>', '<Refs><AcctSvcrRef>B18</AcctSvcrRef>'))).toMatchObject([
    { account: '0012345678', bank_reference: 'B18' },
  ])
})

test('CAMT.053 that says more: whom a payer stands for, a reversal as 1, no reference, and a text of the bank', async () => {
  const file = camt053([{ amount: 5000, day: '2026-11-02', text: 'Invoice 7', name: 'Ada' }])
    .replace('<Dbtr><Nm>Ada</Nm></Dbtr>', '<UltmtDbtr><Nm>Bob</Nm></UltmtDbtr>$&')
    .replace('<Refs>', '<Refs><EndToEndId>NotProvided</EndToEndId>')
    .replace('</Ntry>', '<AddtlNtryInf>Credit transfer</AddtlNtryInf></Ntry>')
  expect(await read(file)).toMatchObject([{ name: 'Ada', end_to_end: null, remittance: 'Invoice 7' }])
  const reversal = camt053([{ amount: 5000, day: '2026-11-02', isReversal: true }])
  expect(await read(reversal.replace('>true<', '>1<'))).toMatchObject([{ is_reversal: true }])
})

test('a second statement of a file that does not name its account is not of the first one’s', async () => {
  const nameless = 'A statement in this file does not name its account.'
  const camt = camt053([{ amount: 5000, day: '2026-11-02' }])
  const second = camt.slice(camt.indexOf('<Ntry>'), camt.indexOf('</BkToCstmrStmt>'))
  expect(await why(camt.replace('</BkToCstmrStmt>', `<Stmt>${second}</BkToCstmrStmt>`))).toBe(nameless)
  const swift = mt940([{ amount: 5000, day: '2026-11-02' }])
  expect(await why(`${swift}\r\n${swift.replace(/:25:.*\r\n/, '')}`)).toBe(nameless)
  expect(await read(swift.replace(':25:', ':25P:'))).toMatchObject([{ account: ACCOUNT }])
})

test('a hostile file, one of another kind and one in another currency are refused with the reason', async () => {
  const good = camt053([{ amount: 100, day: '2026-11-02', text: 'text' }])
  const laughs = good.replace('<Document', '<!DOCTYPE Document [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><Document')
  expect(await why(laughs.replace('text', '&b;'))).toContain('declares a document type or entities of its own')
  expect(await why(good.replace('text', '&b;'))).toContain('damaged')
  expect(await why(good.slice(0, -30))).toContain('damaged')
  expect(await why(good.replace('UTF-8', 'KOI8-R'))).toBe(
    "This file is written in 'KOI8-R', which Backstock cannot read.",
  )
  expect(await why(good.replace('<Ntry>', '<x>'.repeat(1000)))).toContain('damaged')
  expect(await why(camt053([{ amount: 100, day: '2026-11-02' }], { currency: 'USD' }))).toContain(
    `in USD; sales are in EUR`,
  )
  expect(await why(mt940([{ amount: 100, day: '2026-11-02' }], { currency: 'CHF' }))).toContain(
    'in CHF; sales are in EUR',
  )
  expect(await why(camt053([{ amount: 100, day: '2026-11-02' }], { account: '', currency: 'USD' }))).toBe(
    'This file has amounts of an account in USD; sales are in EUR.',
  )
  expect(await why('<Document/>')).toContain('not a bank statement')
  for (const [name, report] of [
    ['BkToCstmrAcctRpt', 'an intraday report (camt.052)'],
    ['BkToCstmrDbtCdtNtfctn', 'a debit/credit notification (camt.054)'],
    ['CstmrCdtTrfInitn', 'an order to the bank (pain.001)'],
  ] as const)
    expect(await why(good.replaceAll('BkToCstmrStmt', name))).toContain(report)
  expect(await why('<html><body></body></html>')).toContain('not a bank statement')
  expect(await why('Name;Amount\nA;1')).toContain('not a bank statement that Backstock can read')
  expect(await why('')).toBe('This file is empty.')
  expect(await why(good.replace('>1.00<', '>1e9<').replace('<Amt Ccy="EUR">1.00', '<Amt Ccy="EUR">1.0.0'))).toContain(
    'no amount',
  )
  expect(await why(good.replace('<Ntry><Amt Ccy="EUR">1.00', '<Ntry><Amt Ccy="EUR">1.005'))).toContain('no amount')
  for (const amount of [MAX_PAYMENT + 1, -MAX_PAYMENT - 1])
    expect(await why(camt053([{ amount, day: '2026-11-02' }]))).toContain('no amount')
  expect(await why(good.replaceAll('2026-11-02', '2026-02-31'))).toContain('no booking date')
  expect(await why(zipOf({ 'readme.md': 'hello' }))).toContain('no statement in this ZIP')
  expect(await why(zipOf({ 'a.xml': good }).subarray(0, 60))).toContain('damaged')
  const packed = packedText(good)
  const sized = (...sizes: number[]) =>
    zipOf(Object.fromEntries(sizes.map((size, n) => [`${n}.xml`, { ...packed, size }])))
  expect(await why(sized(packed.size, packed.size))).toBe('read')
  expect(await why(sized(packed.size, 21 * 2 ** 20))).toContain('ZIP are too large')
  expect(await why(sized(...[1, 2, 3, 4].map(() => 16 * 2 ** 20)))).toContain('ZIP are too large')
  for (const wrong of [-1, 1])
    expect(await why(sized(packed.size, packed.size + wrong))).toContain('ZIP file is damaged')
  expect(await why(sized(...Array.from({ length: 401 }, () => packed.size)))).toContain('at most 400 files')
  const many = Array.from({ length: 20_001 }, () => ({ amount: 100, day: '2026-11-02' }))
  expect(await why(mt940(many))).toContain('at most 20,000 entries')
})

test('no text whatever makes a reader do anything but read or refuse', async () => {
  const bits = [
    '<Document>',
    '<BkToCstmrStmt>',
    '<Stmt>',
    '<Ntry>',
    '</Ntry>',
    '<Amt Ccy="EUR">',
    '1',
    ':20:',
    '\n:25:A',
    '\n:60F:C251031EUR1,',
    '\n:61:',
    '2511021102C1,00NTRF',
    '\n:86:',
    '?20',
    '/REMI/',
    '166',
    '?',
    '\n-',
    '{4:',
    '&',
    ' ',
  ]
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...bits), { maxLength: 30 }), async (some) => {
      expect(typeof (await why(some.join('')))).toBe('string')
    }),
    { ...all, numRuns: 300 },
  )
})
