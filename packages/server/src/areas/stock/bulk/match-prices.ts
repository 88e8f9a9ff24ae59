import { compactIdentifier, mistypedImei } from '@backstock/contract/imei.ts'
import type { Hundredths } from '@backstock/contract/money.ts'
import { pastedPrices, readPastedLine, type WrongLine } from '@backstock/contract/pasted-prices.ts'
import { mapTexts, ownTurn } from '../../../http/own-turn.ts'
import { invalid } from '../../../http/refusal.ts'
import { single, zip } from '../../../lists.ts'
import { keysOfItem, keysOfLine } from '../quick-order.ts'
import type { StockRecord } from './write-columns.ts'

/** The price of each item that a pasted line means, and the lines that mean no item. */
export type PastedPrices = { prices: Map<number, Hundredths>; wrong: WrongLine[] }

/** The number of lines or items that are handled before other requests get a turn. */
const SLICE = 1000
const UNKNOWN = 'None of these items has this identifier.'
const SEVERAL = 'Several of these items have this identifier.'

/**
 * Finds the items of pasted prices, only among these items. A line that means none of them, or several, is wrong, and
 * so are two lines for the same item. Lines without identifiers belong to the `ids` in their order; so there must be as
 * many lines as items, with no empty line before or between them. Throws 422 otherwise, and also if the items have no
 * order, because they come from a filter.
 */
export async function matchPrices(
  pasted: readonly string[],
  { ids, stock, isOrdered }: { ids: readonly number[]; stock: ReadonlyMap<number, StockRecord>; isOrdered: boolean },
): Promise<PastedPrices> {
  const lines = await mapTexts(pasted, (text, n) => readPastedLine(text, n + 1))
  const { prices, wrong } = pastedPrices(lines.filter((line) => line !== null))
  if (prices.length === 0) return { prices: new Map(), wrong }
  if (prices.every(({ code }) => code === null)) {
    const problem = orderProblem([...prices, ...wrong], ids.length, isOrdered)
    if (problem) throw invalid({ 'changes.sales_price.pasted': problem })
    if (wrong.length) return { prices: new Map(), wrong }
    return { prices: new Map(zip(ids, prices).map(([id, { price }]) => [id, price])), wrong }
  }
  // Two items per key are enough to know that there are several. Thousands of sold phones may have the same text.
  const byKey = new Map<string, number[]>()
  for (const [n, row] of [...stock.values()].entries()) {
    if (n % SLICE === 0) await ownTurn()
    for (const [key] of keysOfItem(row)) {
      const known = byKey.get(key)
      if (!known) byKey.set(key, [row.id])
      else if (known.length === 1 && known[0] !== row.id) known.push(row.id)
    }
  }
  const meant = new Map<number, typeof prices>()
  for (const [n, one] of prices.entries()) {
    if (n % SLICE === 0) await ownTurn()
    const code = one.code ?? ''
    const found = new Set(keysOfLine(code).flatMap((key) => byKey.get(key) ?? []))
    const [id] = found
    if (id === undefined || found.size > 1)
      wrong.push({ line: one.line, text: one.text, problem: id === undefined ? whyUnknown(code) : SEVERAL })
    else {
      const lines = meant.get(id)
      if (lines) lines.push(one)
      else meant.set(id, [one])
    }
  }
  const matched = new Map<number, Hundredths>()
  for (const [id, lines] of meant)
    if (lines.length === 1) matched.set(id, single(lines).price)
    else
      for (const { line, text } of lines)
        wrong.push({ line, text, problem: `Item #${id} appears ${lines.length} times.` })
  return { prices: matched, wrong: wrong.toSorted((a, b) => a.line - b.line) }
}

/** The message for a code that none of the items has. */
const whyUnknown = (code: string) => mistypedImei(compactIdentifier(code)) ?? UNKNOWN

function orderProblem(given: readonly { line: number }[], items: number, isOrdered: boolean): string | null {
  if (!isOrdered) return 'Each line needs an identifier before its price.'
  const lines = given.length
  if (lines !== items)
    return `Without identifiers there must be a price for each item: ${lines.toLocaleString('en')} lines for ${items.toLocaleString('en')} items.`
  // If one line is empty and the sum stands in a line below, there are as many prices as items, but they belong to
  // other items.
  const numbers = new Set(given.map(({ line }) => line))
  const empty = Array.from(given, (_, n) => n + 1).find((line) => !numbers.has(line))
  return empty === undefined
    ? null
    : `Line ${empty.toLocaleString('en')} is empty, so it is not clear to which items the prices below it belong.`
}
