import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { z } from 'zod'
import {
  Currency,
  DateOnly,
  Email,
  Flag,
  Id,
  Imei,
  itemIds,
  LoadedAt,
  notes,
  OptionalDate,
  OptionalId,
  OptionalPrice,
  optionalCount,
  optionalIdentifier,
  optionalText,
  Price,
  RatePercent,
  requiredCount,
  requiredIdentifier,
  requiredText,
} from './fields.ts'

/** The value that a field reads from an input, or the messages with which it refuses the input. */
const read = (field: z.ZodType, value: unknown) => {
  const { success, data, error } = field.safeParse(value)
  return success ? data : { refused: error.issues.map(({ message }) => message) }
}
const refused = (...messages: string[]) => ({ refused: messages })

const REQUIRED = refused('This field is required.')
const NO_ID = refused('Must be the id of a record.')
const NO_PRICE = refused('Must be a whole number of cents.')
const NO_RATE = refused('Must be a number from 0 to 100.')
const NO_DATE = refused('Must be a real date as yyyy-mm-dd.')
const NO_FLAG = refused('Must be true or false.')
const NO_EMAIL = refused('Must be an email address.')
const BELL = refused('Has a control character (U+0007), which cannot be stored.')
const tooLong = (max: number) => refused(`At most ${max} characters.`)
const x = (n: number) => 'x'.repeat(n)

const FIELDS: Record<string, [z.ZodType, [given: unknown, read: unknown][]]> = {
  Id: [
    Id,
    [
      ...([
        [1, 1],
        ['7', 7],
        [' 12 ', 12],
        [2_147_483_647, 2_147_483_647],
      ] as [unknown, unknown][]),
      ...[undefined, null, ''].map((blank): [unknown, unknown] => [blank, REQUIRED]),
      ...[1.5, 'x1', '1x', '1.', 0, -1, '-1', [], true].map((odd): [unknown, unknown] => [odd, NO_ID]),
      [2_147_483_648, refused('This record does not exist. Choose another.')],
    ],
  ],
  OptionalId: [
    OptionalId,
    [
      [null, null],
      ['', null],
      [0, null],
      ['0', NO_ID],
      ['5', 5],
      [undefined, REQUIRED],
    ],
  ],
  itemIds: [
    itemIds(),
    [
      ['1, 2,,3', [1, 2, 3]],
      [
        [1, '2'],
        [1, 2],
      ],
      ['', []],
      [undefined, REQUIRED],
      [null, REQUIRED],
      [5, refused('Must be a list of ids.')],
      [['x'], NO_ID],
      [Array(5000).fill(1), Array(5000).fill(1)],
      [Array(5001).fill('x'), refused('At most 5000 items at once.')],
    ],
  ],
  requiredText: [
    requiredText(),
    [
      [' a\tb ', 'a b'],
      [undefined, REQUIRED],
      ['  ', REQUIRED],
      [x(255), x(255)],
      [x(256), tooLong(255)],
      ['a\u0007', BELL],
    ],
  ],
  requiredIdentifier: [
    requiredIdentifier(5),
    [
      ['①x', '1x'],
      ['', REQUIRED],
      [3, REQUIRED],
      [x(6), tooLong(5)],
    ],
  ],
  optionalText: [
    optionalText(),
    [
      [null, null],
      [' ', null],
      ['Ａ', 'A'],
      [5, refused('Must be text.')],
      [x(256), tooLong(255)],
      ['\u0007', BELL],
    ],
  ],
  optionalIdentifier: [
    optionalIdentifier(),
    [
      ['', null],
      ['①', '1'],
      [x(255), x(255)],
      [x(256), tooLong(255)],
    ],
  ],
  notes: [
    notes(),
    [
      ['a\nb ', 'a\nb'],
      [x(10_000), x(10_000)],
      [x(10_001), tooLong(10_000)],
    ],
  ],
  Email: [
    Email,
    [
      ['a.b+c@d-e.example.test', 'a.b+c@d-e.example.test'],
      ...[
        'a',
        'a@b',
        'a@b.',
        'a@-b.test',
        'a@b-.test',
        'a@b..test',
        'a b@c.test',
        'a@b@c.test',
        'a,b@c.test',
        '@b.test',
      ]
        .concat(['a@b.test\nBcc', 'a@b.te st', '<a@b.test>', 'a@b.test-', 'a@b.-test'])
        .map((odd): [unknown, unknown] => [odd, NO_EMAIL]),
      [`${x(177)}@abc.test`, `${x(177)}@abc.test`],
      [`${x(178)}@abc.test`, tooLong(186)],
      ['', refused('This field is required.', 'Must be an email address.')],
    ],
  ],
  Flag: [
    Flag,
    [
      ...[true, 1, '1', 'true'].map((yes): [unknown, unknown] => [yes, true]),
      ...[false, 0, '0', 'false'].map((no): [unknown, unknown] => [no, false]),
      ...[undefined, null, '', 2, 'yes'].map((odd): [unknown, unknown] => [odd, NO_FLAG]),
    ],
  ],
  Price: [
    Price,
    [
      ...([
        [0, 0],
        ['249', 249],
        [100_000_000, 100_000_000],
      ] as [unknown, unknown][]),
      ...[undefined, null, ''].map((blank): [unknown, unknown] => [blank, REQUIRED]),
      ...[1.5, '1.5', 'x', '1e3', '1,5'].map((odd): [unknown, unknown] => [odd, NO_PRICE]),
      ['-1', refused('Must not be negative.')],
      [100_000_001, refused('At most 1,000,000.00.')],
    ],
  ],
  OptionalPrice: [
    OptionalPrice,
    [
      ['', null],
      [null, null],
      [5, 5],
      [undefined, REQUIRED],
    ],
  ],
  'optionalCount(0, 120)': [
    optionalCount(0, 120),
    [
      [0, 0],
      ['120', 120],
      ['', null],
      [null, null],
      [-1, refused('Must not be negative.')],
      [121, refused('At most 120.')],
      ...[1.5, '1.5', '-1', 'x', true].map((wrong): [unknown, unknown] => [wrong, refused('Must be a whole number.')]),
    ],
  ],
  'requiredCount(0, 90)': [
    requiredCount(0, 90),
    [
      [0, 0],
      ['90', 90],
      [91, refused('At most 90.')],
      ...[undefined, null, ''].map((blank): [unknown, unknown] => [blank, REQUIRED]),
      ...['1e1', ' 1', 'x', 1.5, true].map((wrong): [unknown, unknown] => [wrong, refused('Must be a whole number.')]),
    ],
  ],
  'optionalCount(1, 1,000,000)': [
    optionalCount(1, 1_000_000),
    [
      [0, refused('Must be 1 or more.')],
      [1_000_001, refused('At most 1,000,000.')],
    ],
  ],
  RatePercent: [
    RatePercent,
    [
      ...([
        [0, 0],
        [100, 100],
        ['21,5', 21.5],
        ['7.25', 7.25],
        [0.07, 0.07],
      ] as [unknown, unknown][]),
      ...[undefined, null, ''].map((blank): [unknown, unknown] => [blank, REQUIRED]),
      ['x', NO_RATE],
      [-0.01, refused('Must be from 0 to 100.')],
      [100.01, refused('Must be from 0 to 100.')],
      [7.125, refused('At most two decimals.')],
    ],
  ],
  DateOnly: [
    DateOnly,
    [
      [' 2026-02-28 ', '2026-02-28'],
      ['2026-02-29', NO_DATE],
      [5, refused('Must be a date.')],
    ],
  ],
  OptionalDate: [
    OptionalDate,
    [
      ['', null],
      [null, null],
      ['2026-02-29', NO_DATE],
    ],
  ],
  Currency: [
    Currency,
    [
      ['EUR', 'EUR'],
      ['USD', refused('Only EUR is supported.')],
    ],
  ],
  Imei: [
    Imei,
    [
      [' 49-015420-323751-8 ', '490154203237518'],
      ['', null],
      [' - ', null],
      [null, null],
      [5, refused('Must be text.')],
      ['123', refused('An IMEI has 14 to 16 digits; this one has 3.')],
      [`490154203237518${' '.repeat(49)}`, '490154203237518'],
      [`490154203237518${' '.repeat(50)}`, refused('An IMEI has 14 to 16 digits.')],
    ],
  ],
  LoadedAt: [
    LoadedAt,
    [
      [undefined, undefined],
      ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z'],
      ['2026-01-01T00:00:00+01:00', '2026-01-01T00:00:00+01:00'],
      ['yesterday', refused('Must be the time the record was loaded with.')],
    ],
  ],
}

for (const [name, [field, cases]] of Object.entries(FIELDS))
  test.each(cases)(`${name} reads %j`, (given, expected) => {
    expect(read(field, given)).toEqual(expected)
  })

test('every rate of at most two decimals is taken, whatever floating point makes of it', () => {
  fc.assert(fc.property(fc.integer({ min: 0, max: 10_000 }), (rate) => read(RatePercent, rate / 100) === rate / 100))
})
