import { type NamedField, ROW_KINDS, type UnknownName } from '@backstock/contract/import-preview.ts'
import type { PlannedRow, PlanSummary } from '../../../db/preview-columns.ts'
import type { MeantRow } from '../decide/choose-item.ts'
import type { Known } from '../decide/decide-rows.ts'
import type { Decision } from '../decide/decision.ts'
import { productKey } from '../decide/described-product.ts'
import { nameOf } from '../decide/planned-row.ts'
import { tacOf } from './products-of-rows.ts'
import { meaningKey } from './translation.ts'

/** So many reasons and names are told; so many different ones are counted at all. */
const MAX_REASONS = 100
const MAX_NAMES = 200
const MAX_COUNTED = 5000

type CountedName = Omit<UnknownName, 'nearest'>

/** What the rows of a plan come to, counted as they are planned. */
export function newSummary() {
  const counts = { new: 0, updated: 0, unchanged: 0, failed: 0 }
  const reasons = new Map<string, PlanSummary['reasons'][number]>()
  const names = new Map<string, CountedName>()

  function countName(field: NamedField, seen: string, isMade: boolean): void {
    const key = meaningKey(field, seen)
    const known = names.get(key)
    if (known) {
      known.rows++
      known.is_made ||= isMade
    } else if (names.size < MAX_COUNTED) names.set(key, { field, seen, rows: 1, is_made: isMade })
  }

  function countNames({ row, product }: MeantRow, known: Known, decision: Decision): void {
    const { supplier, vat, grade } = row.values
    if (supplier !== undefined && known.suppliers(supplier).length === 0) countName('supplier', supplier, false)
    if (vat !== undefined && known.vats(vat).length === 0) countName('vat', vat, false)
    if (grade !== undefined && known.grades(grade).length === 0) countName('grade', grade, false)
    if (product && !known.products.has(productKey(product))) {
      const isMade = decision.kind !== 'failed'
      countName('product', nameOf(product), isMade)
      countName('make', product.make, isMade)
      if (product.category !== null) countName('category', product.category, isMade)
      if (product.colour !== null) countName('colour', product.colour, isMade)
    }
    const tac = product || decision.kind !== 'failed' ? undefined : tacOf(row.values)
    if (tac !== undefined) countName('product', tac, false)
  }

  return {
    add(meant: MeantRow, known: Known, decision: Decision, planned: PlannedRow): void {
      counts[planned.kind]++
      countNames(meant, known, decision)
      if (planned.kind !== 'failed') return
      for (const [field, message] of Object.entries(planned.errors)) {
        const key = JSON.stringify([field, message])
        const same = reasons.get(key)
        if (same) same.rows++
        else if (reasons.size < MAX_COUNTED) reasons.set(key, { field, message, rows: 1, first_row: meant.row.line })
      }
    },
    counts,
    /** Those of most rows first. */
    reasons: () => mostRows(reasons, MAX_REASONS),
    names: () => mostRows(names, MAX_NAMES),
  }
}
export type Summary = ReturnType<typeof newSummary>

function mostRows<One extends { rows: number }>(all: ReadonlyMap<string, One>, many: number): One[] {
  return [...all.values()].toSorted((a, b) => b.rows - a.rows).slice(0, many)
}

/** How many rows of a part are of each kind, in the order of `ROW_KINDS`. */
export const kindsOf = (rows: readonly PlannedRow[]) =>
  ROW_KINDS.map((kind) => rows.filter((row) => row.kind === kind).length)
