import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const house = path.resolve(import.meta.dirname, '..')
const SKIPPED = /^(node_modules|dist|data|test-results|\.git|\.stryker-tmp)$/
const files = globSync('**/*', { cwd: house, exclude: (name) => SKIPPED.test(path.basename(name)) }).map(
  (file) => `/${file.replaceAll(path.sep, '/')}`,
)

/** Files of an area that CONTRIBUTING.md makes up, and what a run of tests writes. */
const EXAMPLE = /\/warehouse\.tsx?$|^\/test-results\//

/** A file as a text names it, with as much of its path as it says; what begins with a slash is an address. */
const NAMED =
  /(?<![\w*/.-])(?:\.\.?\/)*((?:[\w@-]+\/)*(?:[\w.-]*\w\.(?:tsx?|mjs|sql|css|ya?ml|json|md|svg|png|sh|cfg)|(?:[\w-]+\.)?Dockerfile))\b/g

test('every file that the docs name is there', () => {
  // What was changed, and what was decided otherwise since, may name what is gone.
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
