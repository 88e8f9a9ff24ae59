import type { BulkFilter } from '@backstock/contract/bulk-change.ts'
import { textProblem } from '@backstock/contract/plain-text.ts'
import { StockQuery } from '@backstock/contract/stock.ts'
import { Refusal } from '../../../http/refusal.ts'

/** They choose the page of a list and its look, not its items. */
const SHOWING = ['page', 'per_page', 'order', 'order_by', 'list', 'quick', 'select', 'also', 'further']
/** They ask for a single record, or for one beside the others: no filter of many. */
const NO_FILTER = ['id', 'ajax_id']
const KNOWN = new Set(Object.keys(StockQuery.in.shape).filter((name) => !NO_FILTER.includes(name)))

/** The query of a stock list's address. 400 for a name that is none of its filters, and for a value that makes no sense. */
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

/** A name as a sentence can quote it. */
const named = (name: string) => (/^[\w-]+$/.test(name) ? `'${name}'` : 'that')
