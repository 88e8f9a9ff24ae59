import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

/**
 * The allowed imports, as a ladder: a step may use itself and the steps before it. Steps in one inner list may not use
 * each other.
 */
type Ladder = (string | string[])[]
const SERVER: Ladder = [
  'lists',
  'config',
  'db',
  'http',
  'jobs',
  'worker',
  'render',
  'records',
  'areas',
  'invariants',
  'app',
  'backup',
  'start',
  ['main', 'commands'],
]
const WEB: Ladder = ['api', 'ui', 'crud', 'widgets', 'areas', 'shell', 'routes', 'main']
/** The ladder of `records/`: code that the records of several areas share. */
const RECORDS: Ladder = [
  'lock',
  'log',
  ['edited', 'file', 'password', 'used', 'picture-upload', 'product-names'],
  'name-list',
]
/**
 * The ladder of the areas. An area that is not here may use all of these, and none of these may use it. Most new areas
 * need no step.
 */
const AREAS: Ladder = [
  'user',
  ['make', 'colour', 'category', 'grade', 'vat', 'supplier', 'company'],
  'debtor-number',
  'customer',
  'vat-check',
  'product',
  'stock',
  'basket',
  'batch',
  'supplier-claim',
  'document',
  'sale',
  'return',
  'import',
  'further-column',
  'partner',
  'partner-api',
  'auth',
  'dashboard',
]

/** Folders of the server that have a ladder of their own. */
const ROOMS: Record<string, Ladder> = { records: RECORDS, areas: AREAS }

const house = path.resolve(import.meta.dirname, '..')
const packages = path.join(house, 'packages')
const read = (file: string) => readFileSync(path.join(packages, file), 'utf8')
const isTest = (file: string) => /\.test\.tsx?$/.test(file) || file.includes('/src/testing/')

const scripts = (folder: string) =>
  readdirSync(path.join(house, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(tsx?|mjs)$/.test(file) && !file.endsWith('.d.ts'))
    .map((file) => path.posix.join(folder, file))
const sources = ['contract', 'server', 'web']
  .flatMap((name) => scripts(`packages/${name}/src`))
  .map((file) => path.posix.relative('packages', file))
/** The files outside of the packages, as paths from packages/. */
const beside = ['test', 'bench', 'scripts'].flatMap(scripts).map((file) => `../${file}`)

/** The imports of a file as written, also those of types. */
function importsAsWritten(from: string): string[] {
  const statement = /^(?:import|export)\s(?:[\w$*{},\s]+?\sfrom\s+)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm
  return [...read(from).matchAll(statement)].map(([, named, bare]) => named ?? bare ?? '')
}

/** The imports of a file: those of the project's own files as paths from packages/, others by name. */
function imports(from: string): string[] {
  return importsAsWritten(from).map((target) => {
    if (target.startsWith('@backstock/')) return target.replace(/^@backstock\/(\w+)/, '$1/src')
    return target.startsWith('.') ? path.posix.join(path.posix.dirname(from), target) : target
  })
}
const isOurs = (target: string) => target.startsWith('../') || /^(contract|server|web)\//.test(target)

/** The reason why `from` may not import `to`; undefined if it may. */
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
  const last = ladder === AREAS && user.at < 0 ? { ...user, at: ladder.length } : user
  for (const { name, at } of [last, used]) if (at < 0) return `${name} has no step in test/imports.test.ts`
  return used.at < last.at ? undefined : `${used.name} does not stand before ${user.name}`
}

test('every import runs the way of the ladder', () => {
  const wrong = sources.flatMap((from) =>
    imports(from).flatMap((to) => {
      const why = isOurs(to) || to.startsWith('node:') ? problem(from, to) : undefined
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
  ['server/src/areas/stock/edit.ts', 'server/src/areas/sale/new/create.ts'],
  ['server/src/areas/make.ts', 'server/src/areas/colour.ts'],
  ['server/src/areas/colour.ts', 'server/src/areas/unheard-of.ts'],
  ['server/src/areas/unheard-of.ts', 'server/src/areas/unheard-of-too.ts'],
  ['server/src/unheard-of/it.ts', 'server/src/areas/colour.ts'],
  ['web/src/ui/values/money.tsx', 'web/src/areas/stock/list-page.tsx'],
])('%s may not import %s', (from, to) => {
  expect(problem(from, to)).toBeDefined()
})

test.each([
  ['web/src/areas/colour.tsx', 'contract/src/colour.ts'],
  ['server/src/areas/sale/new/create.ts', 'server/src/areas/stock/edit.ts'],
  ['server/src/areas/unheard-of.ts', 'server/src/areas/colour.ts'],
  ['server/src/areas/sale/new/create.ts', 'server/src/areas/sale/queries.ts'],
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

test('a path has no empty step: some tools would take the file for another one and load it twice', () => {
  const wrong = [...sources, ...beside].flatMap((file) =>
    importsAsWritten(file).flatMap((target) => (/^\..*\/\//.test(target) ? [`${file} imports ${target}`] : [])),
  )
  expect(wrong).toEqual([])
})

/** The files of the contract that a file needs at run time, directly or through others. */
function taken(from: string, seen = new Set<string>()): Set<string> {
  const statement = /^import\s(?!type\s)(?:\{([^}]*)\}\s)?(?:from\s)?['"]([^'"]+)['"]/gm
  for (const [, names, target = ''] of read(from).matchAll(statement)) {
    if (names?.split(',').every((name) => /^\s*(type\s|$)/.test(name))) continue
    const file = target.startsWith('./')
      ? path.posix.join(path.posix.dirname(from), target)
      : target.replace(/^@backstock\/(\w+)/, '$1/src')
    if (seen.has(file)) continue
    seen.add(file)
    if (file.startsWith('contract/')) taken(file, seen)
  }
  return seen
}

test('the screens take no schema from the contract: Zod weighs more than any of them', () => {
  const takers = sources.filter((file) => file.startsWith('web/') && !isTest(file) && taken(file).has('zod'))
  expect(takers).toEqual([])
})

test('values taken from a file of schemas are found, types are not', () => {
  expect(taken('contract/src/stock.ts')).toContain('zod')
  expect(taken('contract/src/stock.ts')).toContain('contract/src/plain-text.ts')
  expect(taken('web/src/areas/stock/stock-form.tsx')).not.toContain('contract/src/stock.ts')
})

/** Groups of files that import each other, directly or through others. */
function circles(all: Map<string, readonly string[]>): string[][] {
  const reached = (from: string) => {
    const seen = new Set<string>()
    const walk = (file: string) => {
      for (const next of all.get(file) ?? []) {
        if (seen.has(next)) continue
        seen.add(next)
        walk(next)
      }
    }
    walk(from)
    return seen
  }
  const reach = new Map([...all.keys()].map((file) => [file, reached(file)]))
  const groups = [...reach].map(([file, seen]) => [...seen].filter((other) => reach.get(other)?.has(file)).toSorted())
  return [...new Map(groups.filter((group) => group.length > 0).map((group) => [group.join(), group])).values()]
}

test('no files import each other in a circle, not even for a type', () => {
  expect(circles(new Map([...sources, ...beside].map((file) => [file, imports(file)])))).toEqual([])
})

test('a circle is found, and whoever only leads to it is not in it', () => {
  const all = { a: ['b'], b: ['c'], c: ['b', 'd'], d: [], e: ['e'] }
  expect(circles(new Map(Object.entries(all)))).toEqual([['b', 'c'], ['e']])
})

/**
 * The room of a file: its folder inside an area, `ui` or `crud`. A file outside of all rooms has its own path as room.
 */
function roomOf(file: string): { area: string; room: string } | undefined {
  const found = /^((?:server|web)\/src\/areas\/[^/]+|web\/src\/(?:ui|crud))\/([^/]+)/.exec(file)
  return found ? { area: found[1]!, room: found[0] } : undefined
}

function roomCircles(files: readonly string[], importsOf: (file: string) => readonly string[]): string[][] {
  const rooms = new Map<string, string[]>()
  for (const from of files) {
    const user = roomOf(from)
    if (!user || isTest(from)) continue
    const used = importsOf(from).flatMap((target) => {
      const to = roomOf(target)
      return to?.area === user.area && to.room !== user.room ? to.room : []
    })
    rooms.set(user.room, [...(rooms.get(user.room) ?? []), ...used])
  }
  return circles(rooms)
}

test('the rooms of an area run one way: no two of them use each other', () => {
  expect(roomCircles(sources, imports)).toEqual([])
})

test('a circle of rooms is found, though no file of it is in a circle', () => {
  const area = 'server/src/areas/sale'
  const all: Record<string, string[]> = {
    [`${area}/routes.ts`]: [`${area}/new/create.ts`],
    [`${area}/new/create.ts`]: [`${area}/change/totals.ts`],
    [`${area}/change/edit.ts`]: [`${area}/new/tax.ts`],
  }
  expect(roomCircles(Object.keys(all), (file) => all[file]!)).toEqual([[`${area}/change`, `${area}/new`]])
})

type Manifest = Record<'dependencies' | 'devDependencies', Record<string, string> | undefined>
const manifest = (file: string): Manifest => JSON.parse(read(path.posix.join(file, 'package.json')))
const root = manifest('..')

test('the imports of a file are declared by its package, or for tests by the house', () => {
  const undeclared = [...sources, ...beside].flatMap((file) => {
    const own = file.startsWith('../') ? root : manifest(file.split('/')[0]!)
    const declared = { ...own.dependencies, ...(file.startsWith('../') || isTest(file) ? root.devDependencies : {}) }
    return imports(file)
      .filter((target) => !isOurs(target) && !target.startsWith('node:'))
      .map((target) => target.split('/', target.startsWith('@') ? 2 : 1).join('/'))
      .filter((name) => !(name in declared))
      .map((name) => `${file} imports ${name}`)
  })
  expect(undeclared).toEqual([])
})

test('a library has one version, whoever declares it', () => {
  const versions = new Map<string, Set<string>>()
  for (const { dependencies, devDependencies } of [root, ...['contract', 'server', 'web'].map(manifest)])
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies }))
      versions.set(name, (versions.get(name) ?? new Set()).add(version))
  expect([...versions].filter(([, found]) => found.size > 1)).toEqual([])
})

test('comments and the titles of tests, which the formatter leaves as they are, have at most 125 characters a line', () => {
  const long = [...sources, ...beside].flatMap((file) =>
    read(file)
      .split('\n')
      .flatMap((line, at) =>
        line.length > 125 && /^\s*(\/?\*|\/\/)|^(test|describe|\])\W/.test(line)
          ? [`${file}:${at + 1} has ${line.length}`]
          : [],
      ),
  )
  expect(long).toEqual([])
})
