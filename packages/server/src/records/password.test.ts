import { expect, test } from 'vitest'
import { withPlaceInQueue } from './password.ts'

test.each([
  ['strangers', 20],
  ['known', 100],
] as const)(
  'of %s, %i log in at once; the next one is asked to come again, and may when one has ended',
  async (lane, most) => {
    const end = Promise.withResolvers<void>()
    const logins = Array.from({ length: most }, () => withPlaceInQueue(lane, () => end.promise))
    const busy = { status: 429, message: expect.stringMatching(/^Too many people are logging in right now/) }
    await expect(withPlaceInQueue(lane, async () => 'in')).rejects.toMatchObject(busy)
    end.resolve()
    await Promise.all(logins)
    await expect(withPlaceInQueue(lane, async () => 'in')).resolves.toBe('in')
  },
)
