import type { BulkFilter } from '@backstock/contract/bulk-change.ts'
import { textProblem } from '@backstock/contract/plain-text.ts'
import { StockQuery } from '@backstock/contract/stock.ts'
import { Refusal } from '../../../http/refusal.ts'

/** Parameters of a list that choose its page and its columns, not its items. */
const SHOWING = ['page', 'per_page', 'order', 'order_by', 'list', 'quick', 'select', 'also', 'further']
/**
 * Parameters that ask for one record (`id`), or for one in addition to those that match (`ajax_id`). They are no
 * filters.
 */
const NO_FILTER = ['id', 'ajax_id']
const KNOWN = new Set(Object.keys(StockQuery.in.shape).filter((name) => !NO_FILTER.includes(name)))

/** Reads a bulk edit's filter as the query of a stock list. Throws 400 for an unknown filter, and for a wrong value. */
export function readFilter(filter: BulkFilter): StockQuery {
  const names = Object.keys(filter)
  const unknown = names.find((name) => !KNOWN.has(name))
  if (unknown !== undefined) throw new Refusal(400, `The stock list has no filter called ${named(unknown)}.`)
  const search = filter['search']
  const problem = typeof search === 'string' ? textProblem(search) : null
  if (problem) throw new Refusal(400, `search: ${problem}`)
  const narrowing = Object.fromEntries(Object.entries(filter).filter(([name]) => !SHOWING.includes(name)))
  const read = StockQuery.safeParse(narrowing)
  if (read.success) return read.data
  const wrong = read.error.issues.map(({ path: [name], message }) => `${String(name)} ${message}`)
  throw new Refusal(400, `${[...new Set(wrong)].join('; ')}.`)
}

/** A filter's name for use in a sentence; names with other characters are not quoted. */
const named = (name: string) => (/^[\w-]+$/.test(name) ? `'${name}'` : 'that')
