import { type Attribute, changes } from '../../../records/log/write.ts'
import { attributesOf, nameKey, type RelationNames } from '../../stock/attributes.ts'
import { STOCK_COLUMNS } from '../../stock/columns.ts'
import type { Update, Wanted } from './decision.ts'

/** The columns of an item that an import writes. */
const WRITTEN = [...STOCK_COLUMNS, 'sale_id', 'in_hand', 'grading_data', 'attributes'] as const

/**
 * Whether an update changes nothing. If a file is imported again, most rows do; this check finds them before names are
 * looked up.
 */
export function isSame({ item: { row }, wanted }: Pick<Update, 'item' | 'wanted'>): boolean {
  return WRITTEN.every((name) => wanted[name] === row[name])
}

/** The changes of an update in the form in which the log has them. */
export function changesOf(update: Update): ReturnType<typeof changes> {
  if (isSame(update)) return []
  const names = namesOf(update)
  return changes(shown(update.item.row, names), shown(update.wanted, names))
}

/** An item's fields in the form of its log. Raw data are JSON text. */
export function shown(columns: Wanted, names: RelationNames): Record<string, Attribute> {
  return {
    ...attributesOf(columns, names),
    grading_data: rawData(columns.grading_data),
    attributes: rawData(columns.attributes),
  }
}

function rawData(data: Record<string, unknown>): string | null {
  for (const _ in data) return JSON.stringify(data)
  return null
}

function namesOf({ wanted, product, supplier, vat, grade, item }: Update): RelationNames {
  const { row } = item
  const names = [
    [nameKey('product', product.id), product.display_name],
    [nameKey('supplier', wanted.supplier_id), supplier],
    [nameKey('vat', wanted.vat_id), vat],
    [nameKey('grade', wanted.grade_id), grade],
    [nameKey('product', row.actual_product_id), item.product.display_name],
    [nameKey('supplier', row.supplier_id), item.supplier],
    [nameKey('vat', row.vat_id), item.vat],
    [nameKey('grade', row.grade_id), item.grade],
    [nameKey('batch', row.batch_id), item.batchName],
  ]
  return new Map(names.filter((entry): entry is [string, string] => entry[1] !== null))
}
