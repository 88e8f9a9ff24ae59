import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { analyse } from 'scslre'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'

// If a regular expression can match a text in many ways, its time may grow with the square of the text's length, or
// even faster. One cell of a megabyte would then block the server for minutes.

/** Patterns that are slow on long texts but get only short ones, with the reason. */
const BOUNDED: Readonly<Record<string, string>> = {
  '\\B(?=(\\d{3})+$)': 'the digits of an amount, at most 17',
  '0+$': 'the two digits after the point',
  '^(.*\\p{L}.*?)[ ,]+([A-Z]{1,2}\\d[A-Z\\d]? ?\\d[A-Z]{2}|[A-Z]\\d[\\dW] ?[A-Z\\d]{4}|[A-Z]{2}-\\d{4,5})$':
    'a line of a pasted address, which has 600 characters',
  '^([a-z]+:\\/\\/(?:[^/?#]*@)?)([^@/?#]*)(.*)$': 'DATABASE_URL, from whoever runs the server',
  '^[a-z]+:\\/\\/[^/?#]*([^?#]*)(?:\\?([^#]*))?(.*)$': 'DATABASE_URL, from whoever runs the server',
  '"[^"]*"|\\[[^\\]]*\\]|[\\\\_*].':
    'the number format of a workbook, read in a process of its own with a limit of time',
}

const house = path.resolve(import.meta.dirname, '..')
const sources = globSync('packages/*/src/**/*.{ts,tsx}', { cwd: house }).filter(
  (file) => !/\.test\.tsx?$/.test(file) && !file.includes('/src/testing/'),
)

type Pattern = { file: string; source: string; flags: string }

function patternsIn(file: string): Pattern[] {
  const text = readFileSync(path.join(house, file), 'utf8')
  const found: Pattern[] = []
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) for (const one of node) walk(one)
    else if (node instanceof Object) {
      if ('regex' in node && isRegex(node.regex))
        found.push({ file, source: node.regex.pattern, flags: node.regex.flags })
      for (const child of Object.values(node)) walk(child)
    }
  }
  walk(parseSync(file, text).program)
  return found
}

const isRegex = (value: unknown): value is { pattern: string; flags: string } =>
  value instanceof Object && 'pattern' in value && 'flags' in value

test('no pattern takes more than the length of its text', () => {
  const patterns = sources.flatMap(patternsIn)
  expect(patterns.length).toBeGreaterThan(250)
  const slow = patterns.filter(
    ({ source, flags }) =>
      analyse({ source, flags }, { maxReports: 1, reportTypes: { Move: true } }).reports.length > 0,
  )
  const unbounded = slow.filter(({ source }) => !(source in BOUNDED))
  expect(unbounded.map(({ file, source }) => `${path.basename(file)}: /${source}/`)).toEqual([])
  const known = new Set(slow.map(({ source }) => source))
  expect(Object.keys(BOUNDED).filter((source) => !known.has(source))).toEqual([])
})
