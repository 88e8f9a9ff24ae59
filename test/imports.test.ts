import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

/** Who may import whom: a step uses itself and what stands before it. Those in one list stand side by side. */
type Ladder = (string | string[])[]
const SERVER: Ladder = [
  'config',
  'db',
  'http',
  'jobs',
  'worker',
  'documents',
  'records',
  'areas',
  'invariants',
  'app',
  'backup',
  'start',
  ['main', 'commands'],
]
const WEB: Ladder = ['api', 'ui', 'crud', 'widgets', 'areas', 'shell', 'routes', 'main']
/** What the records of several areas share. */
const RECORDS: Ladder = ['lock', 'log', ['file', 'password', 'used', 'picture-upload', 'product-names']]
const AREAS: Ladder = [
  'user',
  ['make', 'colour', 'category', 'vat', 'supplier', 'company'],
  'customer',
  'product',
  'stock',
  'basket',
  'batch',
  'sale',
  'import',
  'further-column',
  'partner',
  'partner-api',
  'auth',
  'dashboard',
]

/** Rooms of the server with a ladder of their own. */
const ROOMS: Record<string, Ladder> = { records: RECORDS, areas: AREAS }

const packages = path.resolve(import.meta.dirname, '../packages')
const read = (file: string) => readFileSync(path.join(packages, file), 'utf8')
const isTest = (file: string) => /\.test\.tsx?$/.test(file) || file.includes('/src/testing/')

const sources = ['contract', 'server', 'web'].flatMap((name) =>
  readdirSync(path.join(packages, name, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'))
    .map((file) => `${name}/src/${file}`),
)

/** What a file imports of ours, as a path below packages/, and of Node. */
function imports(from: string): string[] {
  const statement = /^\s*(?:import|export)\s[^'"]*?from\s*['"]([^'"]+)['"]|\bimport\s*\(?\s*['"]([^'"]+)['"]/gm
  return [...read(from).matchAll(statement)].flatMap(([, named, bare]) => {
    const target = named ?? bare ?? ''
    if (target.startsWith('@backstock/')) return target.replace(/^@backstock\/(\w+)/, '$1/src')
    if (target.startsWith('.')) return path.posix.join(path.posix.dirname(from), target)
    return target.startsWith('node:') ? target : []
  })
}

/** Why `from` may not import `to`; undefined where it may. */
function problem(from: string, to: string): string | undefined {
  const [fromPackage, , fromFolder = '', fromArea = ''] = from.split('/')
  const [toPackage = '', , toFolder = '', toArea = ''] = to.split('/')
  const node = toPackage.startsWith('node:')
  if (isTest(from) && fromPackage !== 'server' && node) return undefined
  if (fromPackage !== toPackage)
    return toPackage === 'contract' || (node && fromPackage === 'server') ? undefined : 'crosses packages'
  if (isTest(from) || fromPackage === 'contract') return undefined
  return (
    climbs(fromPackage === 'server' ? SERVER : WEB, fromFolder, toFolder) ??
    (fromPackage === 'server' && fromFolder === toFolder && ROOMS[fromFolder]
      ? climbs(ROOMS[fromFolder], fromArea, toArea)
      : undefined)
  )
}

function climbs(ladder: Ladder, from: string, to: string): string | undefined {
  const step = (file: string) => {
    const name = file.replace(/\.tsx?$/, '')
    return { name, at: ladder.findIndex((rung) => [rung].flat().includes(name)) }
  }
  const [user, used] = [step(from), step(to)]
  if (user.name === used.name) return undefined
  for (const { name, at } of [user, used]) if (at < 0) return `${name} has no step in test/imports.test.ts`
  return used.at < user.at ? undefined : `${used.name} does not stand before ${user.name}`
}

test('every import runs the way of the ladder', () => {
  const wrong = sources.flatMap((from) =>
    imports(from).flatMap((to) => {
      const why = problem(from, to)
      return why ? [`${from} imports ${to}: ${why}`] : []
    }),
  )
  expect(wrong).toEqual([])
})

test.each([
  ['web/src/areas/colour.tsx', 'server/src/areas/colour.ts'],
  ['web/src/areas/colour.test.tsx', 'server/src/areas/colour.ts'],
  ['server/src/areas/colour.ts', 'web/src/api/client.ts'],
  ['contract/src/stock.ts', 'server/src/db/tables.ts'],
  ['contract/src/stock.ts', 'node:fs'],
  ['server/src/db/page.ts', 'server/src/http/list.ts'],
  ['server/src/areas/stock/edit.ts', 'server/src/areas/sale/create.ts'],
  ['server/src/areas/make.ts', 'server/src/areas/colour.ts'],
  ['server/src/areas/unheard-of.ts', 'server/src/areas/colour.ts'],
  ['web/src/ui/money.tsx', 'web/src/areas/stock/list-page.tsx'],
])('%s may not import %s', (from, to) => {
  expect(problem(from, to)).toBeDefined()
})

test.each([
  ['web/src/areas/colour.tsx', 'contract/src/colour.ts'],
  ['server/src/areas/sale/create.ts', 'server/src/areas/stock/edit.ts'],
  ['server/src/areas/sale/create.ts', 'server/src/areas/sale/queries.ts'],
  ['server/src/records/log/log.test.ts', 'server/src/testing/app.ts'],
  ['server/src/db/embedded.ts', 'node:fs'],
])('%s may import %s', (from, to) => {
  expect(problem(from, to)).toBeUndefined()
})

test('the environment is read in config.ts alone', () => {
  const allowed = ['server/src/config.ts', 'server/src/commands/reset-password.ts']
  const readers = sources.filter((file) => !isTest(file) && read(file).includes('process.env'))
  expect(readers.filter((file) => !allowed.includes(file))).toEqual([])
})

test('only web/api talks to the server', () => {
  const callers = sources.filter((file) => file.startsWith('web/') && !isTest(file) && /\bfetch\(/.test(read(file)))
  expect(callers.filter((file) => !file.startsWith('web/src/api/'))).toEqual([])
})
