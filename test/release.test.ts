import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { changeFiles, readChanges } from '../scripts/changes.ts'

const house = path.resolve(import.meta.dirname, '..')
const copy = mkdtempSync(path.join(os.tmpdir(), 'backstock-release-'))
afterAll(() => rmSync(copy, { recursive: true }))

beforeEach(() => {
  for (const file of ['package.json', 'package-lock.json', 'CHANGELOG.md'])
    cpSync(path.join(house, file), path.join(copy, file))
  rmSync(path.join(copy, 'changes'), { recursive: true, force: true })
  mkdirSync(path.join(copy, 'changes'))
})

const read = (file: string) => readFileSync(path.join(copy, file), 'utf8')
const write = (file: string, text: string) => writeFileSync(path.join(copy, file), text)
const release = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [path.join(house, 'scripts/release.ts'), ...args], {
    cwd: copy,
    encoding: 'utf8',
  })
  return { status, told: stdout + stderr }
}

test('every file in changes/ can be released', () => {
  for (const file of changeFiles(house)) expect(readChanges(file).length, file).toBeGreaterThan(0)
})

test('a release folds the changes into the changelog and names its version everywhere', () => {
  const before = read('CHANGELOG.md')
  write('changes/b.md', 'Fixed: A total is right.\nAdded: Labels for watches.\n')
  write('changes/a.md', 'Fixed: A link leads on.\n')
  write('changes/README.md', 'How to write one.\n')
  expect(release('9.10.0', '2027-01-31')).toMatchObject({ status: 0, told: expect.stringContaining('v9.10.0') })
  const after = read('CHANGELOG.md')
  expect(after).toContain(
    '## [9.10.0] - 2027-01-31\n\n### Added\n\n- Labels for watches.\n\n### Fixed\n\n- A link leads on.\n- A total is right.\n\n## ',
  )
  // All older releases are still there, below the new one.
  const older = before.slice(before.indexOf('\n## '))
  expect(after.endsWith(older)).toBe(true)
  expect(JSON.parse(read('package.json')).version).toBe('9.10.0')
  const lock = JSON.parse(read('package-lock.json'))
  expect([lock.version, lock.packages[''].version]).toEqual(['9.10.0', '9.10.0'])
  const partnerApi = JSON.parse(read('packages/server/src/areas/partner-api/released.json'))
  expect(Object.keys(partnerApi.paths)).toContain('/api/partner/v1/orders')
  expect([existsSync(path.join(copy, 'changes/a.md')), existsSync(path.join(copy, 'changes/README.md'))]).toEqual([
    false,
    true,
  ])
})

test.each([
  { what: 'no version', args: [], told: 'Say which version' },
  { what: 'an older version', args: ['0.0.9'], told: 'does not come after' },
  { what: 'no change', args: ['9.0.0'], told: 'nothing to release' },
  { what: 'a line of another form', args: ['9.0.0'], change: 'Fixed: A.\nfixes B', told: 'x.md, line 2' },
  { what: 'a line that is too long', args: ['9.0.0'], change: `Fixed: ${'a'.repeat(200)}`, told: 'x.md, line 1' },
])('a release with $what is refused and changes nothing', ({ args, change, told }) => {
  if (change) write('changes/x.md', change)
  const before = ['package.json', 'package-lock.json', 'CHANGELOG.md'].map(read)
  expect(release(...args)).toMatchObject({ status: 1, told: expect.stringContaining(told) })
  expect(['package.json', 'package-lock.json', 'CHANGELOG.md'].map(read)).toEqual(before)
})
