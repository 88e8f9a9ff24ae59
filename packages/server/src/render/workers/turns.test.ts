import { expect, test, vi } from 'vitest'
import { inTurns } from './turns.ts'

/** Pieces of work that end when the test says so, and the order in which they began. */
function workshop(megabytes: number) {
  const turn = inTurns(megabytes)
  const began: string[] = []
  const ends = new Map<string, (failing?: Error) => void>()
  const give = (person: number, name: string, needed = 1, unwanted?: AbortSignal) => {
    const work = () => {
      began.push(name)
      return new Promise<string>((resolve, reject) =>
        ends.set(name, (failing) => (failing ? reject(failing) : resolve(name))),
      )
    }
    return turn(person, needed, work, unwanted)
  }
  const end = async (name: string, failing?: Error) => {
    await vi.waitFor(() => expect(began).toContain(name), { timeout: 60_000, interval: 1 })
    ends.get(name)!(failing)
  }
  return { began, give, end }
}

test('people come in turns, each with one piece at a time, whoever has more', async () => {
  const { began, give, end } = workshop(2)
  const all = ['a1', 'a2', 'a3'].map((name) => give(1, name))
  all.push(give(2, 'b1'), give(2, 'b2'), give(3, 'c1'))
  expect(began).toEqual(['a1', 'b1'])
  for (const name of ['a1', 'b1', 'c1', 'a2', 'b2', 'a3']) await end(name)
  expect(began).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'b1', 'b2', 'c1'])
})

test('together they stay within the memory; a smaller piece goes ahead of one that does not fit', async () => {
  const { began, give, end } = workshop(5)
  const first = give(1, 'picture 1', 3)
  const second = give(2, 'picture 2', 3)
  const pdf = give(3, 'PDF', 2)
  expect(began).toEqual(['picture 1', 'PDF'])
  await end('PDF')
  await pdf
  expect(began).toEqual(['picture 1', 'PDF'])
  await end('picture 1')
  await first
  await end('picture 2')
  expect(await second).toBe('picture 2')
})

test('a piece that fails ends its own turn only', async () => {
  const { give, end } = workshop(1)
  const [failing, next] = [give(1, 'failing'), give(1, 'next')]
  const refused = expect(failing).rejects.toThrow('no good')
  await end('failing', new Error('no good'))
  await refused
  await end('next')
  expect(await next).toBe('next')
})

test('a piece that nobody wants any more is never begun, and nothing waits for it', async () => {
  const { began, give, end } = workshop(1)
  const leaving = new AbortController()
  const first = give(1, 'a1', 1, leaving.signal)
  const left = Promise.allSettled([give(1, 'a2', 1, leaving.signal), give(2, 'b1', 1, leaving.signal)])
  const next = [give(1, 'a3'), give(3, 'c1')]
  leaving.abort(new Error('nobody waits'))
  for (const one of await left) expect(one).toMatchObject({ reason: { message: 'nobody waits' } })
  // A job that has started ends with its work, even if it is no longer wanted.
  for (const name of ['a1', 'c1', 'a3']) await end(name)
  expect(await Promise.all([first, ...next])).toEqual(['a1', 'a3', 'c1'])
  expect(began).toEqual(['a1', 'c1', 'a3'])
  await expect(give(1, 'late', 1, leaving.signal)).rejects.toThrow('nobody waits')
})
