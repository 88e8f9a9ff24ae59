import { expect, test } from 'vitest'
import { places } from './places.ts'

test('nobody takes all places, and who has ended makes room', async () => {
  const waiting = places('papers', { all: 3, each: 2 })
  const ending: (() => void)[] = []
  const asked = (person: number) =>
    waiting(person, () => new Promise<string>((resolve) => ending.push(() => resolve('made'))))
  const first = [asked(1), asked(1)]
  await expect(asked(1)).rejects.toMatchObject({ status: 503, retryAfter: 10 })
  const other = asked(2)
  await expect(asked(3)).rejects.toThrow('Too many papers are being made.')
  ending[0]!()
  expect(await first[0]).toBe('made')
  const third = asked(3)
  for (const end of ending) end()
  expect(await Promise.all([...first, other, third])).toEqual(['made', 'made', 'made', 'made'])
  await expect(waiting(1, () => Promise.reject(new Error('no paper')))).rejects.toThrow('no paper')
  await expect(Promise.all([1, 1].map((person) => waiting(person, async () => 'made')))).resolves.toHaveLength(2)
})
