import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { broken, comments, limits, prose, titles } from '../scripts/english.ts'

const house = path.resolve(import.meta.dirname, '..')
const SKIPPED = /^(node_modules|dist|data|test-results|\.git|\.stryker-tmp)$/
const files = globSync('**/*', { cwd: house, exclude: (name) => SKIPPED.test(path.basename(name)) }).map(
  (file) => `/${file.replaceAll(path.sep, '/')}`,
)

/**
 * Paths that docs may name although they do not exist: the example area of CONTRIBUTING.md, and files that tests write.
 */
const EXAMPLE = /\/warehouse\.tsx?$|^\/test-results\//

/**
 * The name of a file in a text, with or without its path. A name that begins with a slash is an address of the server.
 */
const NAMED =
  /(?<![\w*/.-])(?:\.\.?\/)*((?:[\w@-]+\/)*(?:[\w.-]*\w\.(?:tsx?|mjs|sql|css|ya?ml|json|md|svg|png|sh|cfg)|(?:[\w-]+\.)?Dockerfile))\b/g

test('every file that the docs name is there', () => {
  // The changelog and superseded decisions may name files that no longer exist.
  const docs = files.filter((file) => file.endsWith('.md') && file !== '/CHANGELOG.md')
  expect(docs.length).toBeGreaterThan(20)
  const missing = docs.flatMap((doc) => {
    const text = readFileSync(path.join(house, doc), 'utf8')
    if (/superseded by/i.test(text)) return []
    const named = [...text.matchAll(NAMED)].map(([, name]) => `/${name}`)
    return named.filter((name) => !EXAMPLE.test(name) && !files.some((file) => file.endsWith(name))).map((n) => doc + n)
  })
  expect(missing).toEqual([])
})

test('no more sentences break the rules of English than test/english.json grants', () => {
  const granted = limits()
  const grown = Object.entries(broken()).filter(([rule, found]) => found.length > (granted[rule] ?? 0))
  const told = grown.map(([rule, { length }]) => `${rule}: ${length}, at most ${granted[rule]}`)
  const [rule = ''] = grown.map(([name]) => name)
  expect(told, `npm run english -- "${rule}" shows them with file and line; mend as many`).toEqual([])
})

test('sentences of comments, pages and titles are found, and judged by how they begin', () => {
  const source = `/**\n * What it\n * holds. A sum.\n */\nconst a = 1 // Of all\n\ntest('who asks', () => {})\n`
  expect(comments(source)).toEqual([
    { line: 2, text: 'What it holds. A sum.' },
    { line: 5, text: 'Of all' },
  ])
  expect(titles(source)).toEqual([{ line: 7, text: 'who asks' }])
  const page = '# What it is\n\n- Whoever\n  asks\n- Is it where?\n\n```\nOf code\n```\n| What | Who? |\n|---|---|\n'
  expect(prose(page).map(({ text }) => text)).toEqual(['Whoever asks', 'Is it where?', 'What', 'Who?'])
  const judged = (text: string) =>
    Object.entries(broken([{ kind: 'docs', file: '', line: 1, text }])).flatMap(([rule, found]) =>
      rule.startsWith('docs') && rule !== 'docs: long' && found.length > 0 ? [rule] : [],
    )
  expect(judged('What it holds, where it can.')).toEqual(['docs: what', 'docs: where'])
  expect(['What is it?', 'Of all', 'who asks', 'It says what it holds.'].map(judged)).toEqual([
    [],
    ['docs: of'],
    ['docs: who'],
    [],
  ])
})
