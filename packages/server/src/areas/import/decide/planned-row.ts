import { createHash } from 'node:crypto'
import type { FieldErrors } from '@backstock/contract/answer.ts'
import { columnLabel } from '@backstock/contract/column-label.ts'
import type { NewItem, RowKind } from '@backstock/contract/import-preview.ts'
import type { Change } from '@backstock/contract/log.ts'
import { CURRENCY, toCurrencyUnits } from '@backstock/contract/money.ts'
import { productDisplayName } from '@backstock/contract/product-name.ts'
import { NEW_STOCK_STATUSES } from '@backstock/contract/stock-status.ts'
import type { PlannedRow } from '../../../db/preview-columns.ts'
import type { DescribedProduct } from '../read/described-product.ts'
import type { Create, Decision, Update } from './decision.ts'
import { changesOf } from './item-changes.ts'

export function nameOf({ make, model, capacity, capacity_unit, colour }: DescribedProduct): string {
  return productDisplayName(make, model, capacity, capacity_unit, colour)
}

/** The plan for a decision. It does not depend on whether the new product exists already. */
export function plannedOf(decision: Decision): PlannedRow {
  if (decision.kind === 'failed') return { kind: 'failed', errors: decision.errors }
  const product = decision.newProduct ? nameOf(decision.newProduct) : decision.product.display_name
  if (decision.kind === 'create')
    return { kind: 'new', product, print: printOf(decision, product), becomes: becomes(decision) }
  const { id } = decision.item.row
  const changes = rowChanges({ ...decision, product: { id: decision.product.id, display_name: product } })
  return changes.length ? { kind: 'updated', id, product, changes } : { kind: 'unchanged', id, product }
}

/** A new item with only default values. For each new row, only the fields that differ from it are stored. */
const USUAL: NewItem = {
  ...{ imei: null, imei2: null, serial_number: null, backstock_id: null, meid: null, eid: null },
  status: NEW_STOCK_STATUSES[0],
  ...{
    purchase_price: 0,
    purchase_currency: CURRENCY,
    fx_rate: null,
    purchase_date: null,
    purchase_treatment: 'unknown',
  },
  ...{ sales_price: null, network_locked: false, functional: null, battery_health: null, location: null },
  ...{ supplier: null, vat: null, grade: null, new_in_category: null },
}
export const newItemOf = (kept: Partial<NewItem>): NewItem => ({ ...USUAL, ...kept })

function becomes({ wanted, supplier, vat, grade }: Create): Partial<NewItem> {
  const item = { ...wanted, ...{ supplier, vat, grade, new_in_category: null } } as unknown as NewItem
  return Object.fromEntries(
    NEW_ITEM_FIELDS.flatMap((field) => (item[field] === USUAL[field] ? [] : [[field, item[field]]])),
  )
}
const NEW_ITEM_FIELDS = Object.keys(USUAL) as (keyof NewItem)[]

function printOf({ wanted }: Create, product: string): string {
  const { actual_product_id: _, ...columns } = wanted
  return createHash('sha1')
    .update(JSON.stringify([columns, product.toLowerCase()]))
    .digest('base64url')
    .slice(0, 11)
}

/**
 * The changes that the log will have. A change of grading data or of further columns has only the values that the row
 * changes.
 */
function rowChanges(update: Update): Change[] {
  return changesOf(update).map(({ attributeName, from, to }) => {
    if (attributeName !== 'grading_data' && attributeName !== 'attributes') return { attributeName, from, to }
    const [had, has] = [update.item.row[attributeName], update.wanted[attributeName]]
    const names = Object.keys(has).filter((name) => !Object.hasOwn(had, name) || had[name] !== has[name])
    const only = (data: Record<string, unknown>) =>
      JSON.stringify(
        Object.fromEntries(names.filter((name) => Object.hasOwn(data, name)).map((name) => [name, data[name]])),
      )
    return { attributeName, from: only(had), to: only(has) }
  })
}

const CHANGED = 'Changed since the preview:'
const NOT_IMPORTED = 'Not imported.'
const changed = (how: string): FieldErrors => ({ row: `${CHANGED} ${how}. ${NOT_IMPORTED}` })

/** Why a row must not be written, because it differs from its preview; null if it does not differ. */
export function otherThanPlanned(planned: PlannedRow, decision: Decision): FieldErrors | null {
  if (planned.kind === 'failed') return planned.errors
  const now = plannedOf(decision)
  if (now.kind === 'failed') return { ...now.errors, ...changed(`this row was to be ${BECOMES[planned.kind]}`) }
  if (planned.kind === 'new') {
    if (now.kind !== 'new') return changed(`item #${now.id} has been added since, and this row was new`)
    return now.print === planned.print ? null : changed(`the new item would differ from the one shown`)
  }
  if (now.kind === 'new' || now.id !== planned.id) return changed(`this row no longer means item #${planned.id}`)
  return otherChange(changesIn(planned), changesIn(now))
}

const BECOMES: Record<Exclude<RowKind, 'failed'>, string> = {
  new: 'a new item',
  updated: 'an update',
  unchanged: 'left unchanged',
}

const changesIn = (row: PlannedRow) => (row.kind === 'updated' ? row.changes : [])

/** Compares products without case, because the first row with a product's name decides its case. */
const comparable = ({ attributeName }: Change, value: unknown) =>
  attributeName === 'actual_product' ? String(value).toLowerCase() : value

function otherChange(planned: readonly Change[], now: readonly Change[]): FieldErrors | null {
  for (const change of [...planned, ...now]) {
    const name = change.attributeName
    const [was, is] = [planned, now].map((changes) => changes.find(({ attributeName }) => attributeName === name))
    const before = was ? was.from : change.to
    const after = is ? is.from : change.to
    if (comparable(change, before) !== comparable(change, after))
      return changed(`${labelOf(name)} is ${shown(name, after)}, it was ${shown(name, before)}`)
    if (was && is && comparable(change, was.to) !== comparable(change, is.to))
      return changed(`${labelOf(name)} would become ${shown(name, is.to)}, and not ${shown(name, was.to)}`)
  }
  return null
}

/** The name of a column within a sentence: `sales price`, but `IMEI`. */
function labelOf(name: string): string {
  const label = columnLabel(name === 'actual_product' ? 'product' : name)
  return /^[A-Z]{2}/.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1)
}

function shown(name: string, value: Change['from']): string {
  if (value === null) return 'empty'
  return name.endsWith('_price') && typeof value === 'number' ? toCurrencyUnits(value) : String(value)
}
