import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keptCodes, type Waiting } from './kept-codes.ts'

let stored: Map<string, string>
beforeEach(() => {
  stored = new Map()
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, text: string) => void stored.set(name, text),
    removeItem: (name: string) => void stored.delete(name),
  })
})
afterEach(() => void vi.unstubAllGlobals())

const NONE = { codes: [], batch: null }

test('codes come back with the key under which they were sent, each list under its own name', () => {
  const sent = { codes: ['1', '2', '3'], batch: { size: 2, key: 'k' } }
  keptCodes('check 1').keep(sent)
  keptCodes('check 2').keep({ codes: ['9'], batch: null })
  expect(keptCodes('check 1').read()).toEqual(sent)
  expect(keptCodes('check 2').read()).toEqual({ codes: ['9'], batch: null })
  keptCodes('check 1').keep(NONE)
  expect([...stored.keys()]).toEqual(['check 2'])
  expect(keptCodes('check 1').read()).toEqual(NONE)
})

test.each<[text: string, waiting: Waiting]>([
  ['{', NONE],
  ['null', NONE],
  ['{"codes":"1"}', NONE],
  ['{"codes":["1",2]}', NONE],
  ['{"codes":["1"]}', { codes: ['1'], batch: null }],
  ['{"codes":["1"],"batch":{"size":1,"key":"k"}}', { codes: ['1'], batch: { size: 1, key: 'k' } }],
  // A key that is not of the first codes could hold back the others.
  ...['{"size":2,"key":"k"}', '{"size":0,"key":"k"}', '{"size":0.5,"key":"k"}', '{"size":1}', '{"key":"k"}'].map(
    (batch): [string, Waiting] => [`{"codes":["1"],"batch":${batch}}`, { codes: ['1'], batch: null }],
  ),
])('the kept text %j gives back the codes that can be used', (text, waiting) => {
  stored.set('check 1', text)
  expect(keptCodes('check 1').read()).toEqual(waiting)
})

test('a browser that keeps nothing has no codes, and scanning goes on', () => {
  const refuse = () => {
    throw new DOMException('full', 'QuotaExceededError')
  }
  vi.stubGlobal('sessionStorage', { getItem: refuse, setItem: refuse, removeItem: refuse })
  keptCodes('check 1').keep({ codes: ['1'], batch: null })
  keptCodes('check 1').keep(NONE)
  expect(keptCodes('check 1').read()).toEqual(NONE)
})
