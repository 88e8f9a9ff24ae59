import { expect, test } from 'vitest'
import { sentences } from './letter.ts'
import type { LetterPaper } from './paper.ts'

const said = (paper: Pick<LetterPaper, 'letter' | 'level' | 'pay_by'> & { total?: number }) =>
  sentences({ lang: 'en', date: '2026-11-27', total: 123_450, ...paper } as LetterPaper)

test('a statement says its day; a reminder says the sum and asks for it; only the final notice warns', () => {
  expect(said({ letter: 'statement', level: null, pay_by: null })).toEqual([
    'As at 27 November 2026, the following is outstanding on your account.',
  ])
  for (const total of [0, -500])
    expect(said({ letter: 'statement', level: null, pay_by: null, total })).toEqual([
      'As at 27 November 2026, your account with us stands as follows.',
    ])
  const ask = 'Please pay this sum by 4 December 2026.'
  const reminder = (level: 1 | 2 | 3) => said({ letter: 'reminder', level, pay_by: '2026-12-04' })
  expect(reminder(1)).toEqual([expect.stringContaining('may simply have been overlooked'), ask])
  expect(reminder(2)).toEqual([expect.stringContaining('reminded you before'), ask])
  expect(reminder(3)).toEqual([expect.stringContaining('final notice'), expect.stringContaining(`${ask} If we do not`)])
  for (const level of [1, 2, 3] as const) expect(reminder(level)[0]).toContain('1,234.50')
})
