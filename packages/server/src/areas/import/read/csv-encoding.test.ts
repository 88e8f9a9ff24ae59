import { encodingOfHead, encodingOfStart, newLetters } from '@backstock/contract/csv-encoding.ts'
import { expect, test } from 'vitest'

const utf8 = (text: string) => new TextEncoder().encode(text)
const bytes = (...list: number[]) => Uint8Array.from(list)

test.each([
  [[0xef, 0xbb, 0xbf, 0x41], 'utf-8'],
  [[0xff, 0xfe, 0x41, 0], 'utf-16le'],
  [[0xfe, 0xff, 0, 0x41], 'utf-16be'],
  [[0x41, 0, 0x42, 0], 'utf-16le'],
  [[0, 0x41, 0, 0x42], 'utf-16be'],
  [[0, 0x41, 0x42, 0], undefined],
  [[0x41, 0, 0x42, 0x43], undefined],
  [[0xff, 0x41], undefined],
  [[], undefined],
])('a file that begins with %j has the encoding %s', (start, encoding) => {
  expect(encodingOfStart(bytes(...start))).toBe(encoding)
})

test('a letter that the end of a head cuts is no fault, but one at the end of a file is', () => {
  const cut = utf8('Größe, Farbe, é').slice(0, -1)
  expect([encodingOfHead(cut, false, TextDecoder), encodingOfHead(cut, true, TextDecoder)]).toEqual([
    ...['utf-8', 'windows-1252'],
  ])
})

/** The bytes of a text in an encoding of one byte for each letter. */
function inEncoding(text: string, encoding: string): Uint8Array<ArrayBuffer> {
  const decoder = new TextDecoder(encoding)
  const byLetter = new Map(Array.from({ length: 256 }, (_, byte) => [decoder.decode(bytes(byte)), byte]))
  return Uint8Array.from([...text], (letter) => byLetter.get(letter)!)
}

test.each([
  ['windows-1252', 'Größe;Stück;Übergabe;£5'],
  ['windows-1252', 'Prix TTC;Écran fêlé;Référence'],
  ['windows-1250', 'Część;Żółty;źródło;łódź'],
  ['windows-1250', 'Příští;Číslo;žlutý'],
  ['windows-1253', 'Μάρκα;Τιμή;Χρώμα'],
  ['macintosh', 'Größe;Stück;für;grün'],
  ['windows-1252', 'ÈÒÀ;ÀÒÙ'],
])('%s is guessed from %j, in whichever pieces it comes', (encoding, text) => {
  const content = inEncoding(text, encoding)
  expect(encodingOfHead(content, true, TextDecoder)).toBe(encoding)
  const letters = newLetters()
  for (const byte of content) letters.add(bytes(byte))
  expect([letters.codePage(TextDecoder), letters.hasNul()]).toEqual([encoding, false])
  letters.add(bytes(0))
  expect(letters.hasNul()).toBe(true)
})
