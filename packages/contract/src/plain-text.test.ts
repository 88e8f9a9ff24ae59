import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { plainIdentifier, plainName, plainNotes, textProblem } from './plain-text.ts'

const kinds = { plainName, plainNotes, plainIdentifier }

/** A character of each invisible kind. */
const UNSEEN = [
  ...['\u200b', '\u200c', '\u200d', '\u200e', '\u200f', '\u202a', '\u202e', '\u2060', '\u2066', '\u2069', '\ufeff'],
  ...['\u00ad', '\u034f', '\u061c', '\u115f', '\u1160', '\u17b4', '\u180b', '\u180e', '\u3164', '\uffa0', '\u2800'],
  ...['\ufe00', '\ufe0f', '\ufff9', '\ufffb', '\u{1d173}', '\u{1d159}', '\u{e0001}', '\u{e0041}', '\u{e0100}'],
]
const unseen = fc.constantFrom(...UNSEEN)
const word = fc.stringMatching(/^[!-~]{1,12}$/)
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.oneof(unseen, fc.constantFrom(' ', '\u00a0', '\u3000', 'e', '\u0301', '\u0344', 'Ａ', '½', '\t')),
  }),
)

describe.each(Object.entries(kinds))('%s', (_, plain) => {
  test('is the same when done twice', () => {
    fc.assert(fc.property(anyText, (text) => plain(plain(text)) === plain(text)))
  })
  test('leaves words of plain ASCII as they are', () => {
    fc.assert(fc.property(fc.array(word, { minLength: 1 }), (words) => plain(words.join(' ')) === words.join(' ')))
  })
  test('nothing that cannot be seen makes another text of it', () => {
    const parts = fc.array(fc.tuple(unseen, word, unseen), { minLength: 1, maxLength: 4 })
    fc.assert(fc.property(parts, (all) => plain(all.flat().join('')) === all.map(([, text]) => text).join('')))
  })
  test.each(UNSEEN)('alone, %j is no text', (one) => expect(plain(` ${one}\u00a0${one}`)).toBe(''))
  test('its result has nothing invisible left, and no space around it', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const made = plain(text)
        return made === made.trim() && !UNSEEN.some((one) => made.includes(one))
      }),
    )
  })
  test('letters of every language stay', () => {
    for (const text of ['Łódź', 'Ørsted & Söhne', 'Москва', '東京', 'नई दिल्ली', 'القاهرة', '한국', 'İstanbul', '🧾 ½'])
      expect(plainName(text)).toBe(text.normalize('NFC'))
  })
  test('a letter with its accent apart is the letter with its accent', () => {
    expect(plain('Cafe\u0301')).toBe('Café')
    expect(plain('Cafe\u200b\u0301')).toBe('Café')
  })
  test('halves of a character do not join when what is between them goes', () => {
    expect(textProblem(plain('a\udb40\u200b\udc41'))).toMatch('half a character')
  })
  test('a heap of marks is no higher than those of any language', () => {
    expect(plain(`a${'\u0315\u0300'.repeat(900)}`).length).toBeLessThan(40)
  })
  test.each(['\ufdfa', '\u3316', '\u0315\u0300', 'é', ' a', '\u00a0', '\u200bx', '\ud800', '\u1100\u1161'])(
    'a megabyte of %j is cut before its characters are looked at, and still too long for every field',
    (one) => {
      const long = `x${one.repeat(1_000_000 / one.length)}x`
      const seen = vi.spyOn(String.prototype, 'normalize')
      const made = plain(long)
      expect(seen.mock.contexts.filter((text) => `${text}`.length > 20_000)).toEqual([])
      seen.mockRestore()
      expect([2001, 20_001]).toContain(made.length)
      expect(plain(made)).toBe(made)
    },
  )
  test('a text that becomes too long when it is made plain is too long', () => {
    if (plain === plainIdentifier) expect(plain('\ufdfa'.repeat(300))).toHaveLength(2001)
    expect(plain(` x${' '.repeat(100_000)}`)).toBe('x')
  })
})

test('a name and an identifier have single plain spaces, notes keep theirs', () => {
  const text = '\u3000iPhone\u00a0\u2009 13\r\n\tPro\u2028Max '
  expect(plainName(text)).toBe('iPhone 13 Pro Max')
  expect(plainIdentifier(text)).toBe('iPhone 13 Pro Max')
  expect(plainNotes(text)).toBe('iPhone   13\r\n\tPro\nMax')
})

test('full width is plain in names and identifiers', () => {
  expect(plainName('Ａｐｐｌｅ\u3000１３')).toBe('Apple 13')
  expect(plainIdentifier('３５－ａ＠ｂ．ｔｅｓｔ')).toBe('35-a@b.test')
})

test('other forms are another text in a name, and the same in an identifier', () => {
  expect(plainName('½ ﬁ ²')).toBe('½ ﬁ ²')
  expect(plainIdentifier('ﬁ²')).toBe('fi2')
})

test('says which character cannot be stored', () => {
  expect(textProblem('a\u0007b')).toBe('Has a control character (U+0007), which cannot be stored.')
  expect(textProblem('a\0')).toBe('Has a control character (U+0000), which cannot be stored.')
  expect(textProblem('a\u0085')).toBe('Has a control character (U+0085), which cannot be stored.')
  expect(textProblem('x\ud800')).toBe('Has half a character (U+D800), which cannot be stored.')
  expect(textProblem('one\r\n\ttwo 🧾')).toBe(null)
})

test('only controls and halves of a character are ever refused', () => {
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => textProblem(plainNotes(text)) === null))
})
