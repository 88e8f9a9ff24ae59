import { MAX_PRICE } from '@backstock/contract/money.ts'
import { expect, test } from 'vitest'
import { drawn } from '../../testing/drawn.tsx'
import { MoneyInput } from './money-input.tsx'

/** The text of a field, and its message. */
async function shown(props: Partial<Parameters<typeof MoneyInput>[0]>) {
  const html = await drawn(<MoneyInput onChange={() => {}} {...props} />)
  return [/ value="([^"]*)"/.exec(html)?.[1], /<p[^>]*-error"[^>]*>([^<]*)</.exec(html)?.[1]]
}

test('an amount up to the highest is a price, and each text that is none is kept with the reason', async () => {
  expect(await shown({ value: 14_990 })).toEqual(['149.90', undefined])
  expect(await shown({ value: 0 })).toEqual(['0.00', undefined])
  expect(await shown({ value: MAX_PRICE })).toEqual(['1000000.00', undefined])
  expect(await shown({ value: MAX_PRICE, max: 2 * MAX_PRICE })).toEqual(['1000000.00', undefined])
  const most = 'Must be a price such as 249.90, at most 1,000,000.00.'
  expect(await shown({ wrong: '1000000.01' })).toEqual(['1000000.01', most])
  expect(await shown({ wrong: '1x' })).toEqual(['1x', most])
  expect(await shown({ wrong: '-5' })).toEqual(['-5', 'Must not be negative.'])
  expect(await shown({ value: 100, error: 'Too low.' })).toEqual(['1.00', 'Too low.'])
  expect(await shown({ wrong: ' ' })).toEqual([' ', undefined])
})
