import { expect, test } from 'vitest'
import { coloursIn, inEnglish, isColour, isForeign } from './import-words.ts'

test.each([
  ['colour', 'Schwarz', 'Black', true],
  ['colour', ' WEISS ', 'White', true],
  ['colour', 'weiß', 'White', true],
  ['colour', 'Żółty', 'Yellow', true],
  ['colour', 'gray', 'Grey', false],
  ['colour', 'Rose', 'Pink', false],
  ['colour', 'Space Blau', undefined, false],
  ['colour', 'Handys', undefined, false],
  ['category', 'Handys', 'Phones', true],
  ['category', 'Smartphones', 'Phones', false],
  ['category', 'Schwarz', undefined, false],
  ['make', 'Schwarz', undefined, false],
])('a %s called %j is %s in English, and from another language: %s', (field, name, english, foreign) => {
  expect([inEnglish(field, name), isForeign(field, name)]).toEqual([english, foreign])
})

test.each([
  ['Space Blue', ['Blue']],
  ['Blau/rot', ['Blue', 'Red']],
  ['Pro Max', []],
  [`${'x '.repeat(50)}Blau`, []],
])('the colours in %j', (name, colours) => {
  expect([...coloursIn(name)]).toEqual(colours)
})

test.each([
  ['Black', true],
  ['deep Purple', true],
  ['Space Black', true],
  ['Graphite', true],
  ['Space Graphite', false],
  ['Pro Black', false],
  ['Black Pro', false],
  ['Blue 5', false],
  ['Space', false],
  ['', false],
])('the words %j are a colour: %s', (words, isOne) => {
  expect(isColour(words)).toBe(isOne)
})
