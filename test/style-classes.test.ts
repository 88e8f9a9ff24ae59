import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const screens = path.resolve(import.meta.dirname, '../packages/web/src')
const read = (file: string) => readFileSync(path.join(screens, file), 'utf8')

/** The classes of a CSS module that its selectors name. */
function definedIn(sheet: string): Set<string> {
  const rules = read(sheet).replaceAll(/\/\*[\s\S]*?\*\//g, '')
  const selectors = [...rules.matchAll(/([^{};]*)\{/g)].map(([, selector = '']) => selector)
  const ours = selectors.map((selector) => selector.replaceAll(/:global\([^)]*\)/g, ''))
  return new Set(ours.flatMap((selector) => [...selector.matchAll(/\.([A-Za-z][\w-]*)/g)].map(([, name = '']) => name)))
}

/** For each CSS module the classes that screens take from it. */
function takenOf(): Map<string, Set<string>> {
  const taken = new Map<string, Set<string>>()
  for (const file of globSync('**/*.{ts,tsx}', { cwd: screens })) {
    const text = read(file)
    for (const [, name = '', from = ''] of text.matchAll(/import (\w+) from '([^']*\.module\.css)'/g)) {
      const sheet = path.join(path.dirname(file), from)
      const names = taken.get(sheet) ?? new Set<string>()
      for (const [, key = ''] of text.matchAll(RegExp(`\\b${name}\\[([^\\]]*)\\]`, 'g'))) names.add(key.slice(1, -1))
      taken.set(sheet, names)
    }
  }
  return taken
}

test('the screens take each class of a style sheet, and no class that it lacks', () => {
  const taken = takenOf()
  const sheets = globSync('**/*.module.css', { cwd: screens }).sort()
  expect(sheets.length).toBeGreaterThan(50)
  const wrong = sheets.flatMap((sheet) => {
    const [has, used] = [definedIn(sheet), taken.get(sheet) ?? new Set<string>()]
    return [...has.symmetricDifference(used)].map((name) => `${sheet}: ${has.has(name) ? 'unused' : 'missing'} ${name}`)
  })
  expect(wrong).toEqual([])
})
