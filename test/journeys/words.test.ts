import { describe, expect, test } from 'vitest'
import { IN_TURN, isItsTurn } from '../../packages/server/src/testing/in-turn.ts'
import { type Found, openShop, type Person } from './sample-shop.ts'
import { LOOKUP_SCREENS } from './screens/lookups.ts'
import { SALES_SCREENS } from './screens/sales.ts'
import { STOCK_SCREENS } from './screens/stock.ts'
import { wordsOf } from './words.ts'

const shop = openShop()
/** One person for all tests, so that the list of staff is the same whichever tests run. */
let person: Person | undefined

/** A colleague in a shop whose rule on reverse charge ends next year. In its last month the dashboard has one more line. */
async function firstPerson(): Promise<Person> {
  const first = await shop.colleague()
  const [rule] = (await first.call<Found<{ id: number }>>('GET', 'reverse-charge-rule/find?search=NL')).data
  const nextYear = new Date().getUTCFullYear() + 1
  await first.call('POST', `reverse-charge-rule/${rule!.id}/edit`, { valid_to: `${nextYear}-12-31` })
  return first
}

describe('the words of each screen are those of test/journeys/words', () => {
  const all = Object.entries({ ...STOCK_SCREENS, ...SALES_SCREENS, ...LOOKUP_SCREENS })
  for (const [name, screens] of all)
    test.runIf(isItsTurn(`words of ${name}`))(name, IN_TURN, async () => {
      person = person ? await shop.again(person) : await firstPerson()
      const { page, id, call } = person
      const { data } = await call<Found<{ id: number }>>('GET', 'stock/find?status=In+Stock&order=id_asc&per_page=2')
      await call('PUT', `user/${id}/basket`, { items: data.map((item) => item.id) })
      await expect(await wordsOf(page, screens)).toMatchFileSnapshot(`words/${name.replaceAll(' ', '-')}.txt`)
    })
})
