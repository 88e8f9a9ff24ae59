import { DEFAULT_FIELDS, type DefaultField, fieldFilledBy } from '@backstock/contract/csv-columns.ts'
import type { ColumnTarget, ImportPreview, PreviewChanges } from '@backstock/contract/import-preview.ts'

/** Both lists as one. If two entries have the same key (`of`), the later one counts. */
function joined<One>(before: One[] | undefined, later: One[] | undefined, of: (one: One) => string): One[] | undefined {
  if (!before || !later) return later ?? before
  return [...new Map([...before, ...later].map((one) => [of(one), one])).values()]
}

type Mapping = NonNullable<PreviewChanges['mapping']>

/** Whether `mapping` gives this column's field to another column. Then this column is left out. */
const isTakenBy = (mapping: Mapping, column: number, field: ColumnTarget) =>
  field !== null &&
  field !== 'further' &&
  mapping.some((one) => fieldFilledBy(one.field) === fieldFilledBy(field) && one.column !== column)

/** Both changes as one. If they set the same thing, the later one counts. */
export function together(before: PreviewChanges, later: PreviewChanges): PreviewChanges {
  const taken = before.mapping?.map(({ column, field }) => ({
    column,
    field: isTakenBy(later.mapping ?? [], column, field) ? null : field,
  }))
  const mapping = joined(taken, later.mapping, ({ column }) => String(column))
  const values = joined(before.values, later.values, ({ field, seen }) => `${field} ${seen}`)
  const rates = joined(before.rates, later.rates, ({ currency }) => currency)
  const cells = joined(before.cells, later.cells, ({ row, column }) => `${row} ${column}`)
  return {
    ...before,
    ...later,
    ...(mapping && { mapping }),
    ...(values && { values }),
    ...(rates && { rates }),
    ...(cells && { cells }),
    ...((before.defaults || later.defaults) && { defaults: { ...before.defaults, ...later.defaults } }),
  }
}

/** The plan with the changes that a person has made since it was calculated, so that the screen shows them at once. */
export function withChanges(plan: ImportPreview, changes: PreviewChanges): ImportPreview {
  const { mapping = [], values = [], rates = [], defaults = {}, supplier_id } = changes
  const fields = new Map(mapping.map(({ column, field }) => [column, field]))
  const isChanged = ({ field, seen }: { field: string; seen: string }) =>
    values.some((value) => value.field === field && value.seen === seen)
  return {
    ...plan,
    update_existing: changes.update_existing ?? plan.update_existing,
    decimal: changes.decimal ?? plan.decimal,
    dates: changes.dates ?? plan.dates,
    dollar: changes.dollar && plan.dollar ? { ...plan.dollar, means: changes.dollar, remembered: null } : plan.dollar,
    several: plan.several && { ...plan.several, means: changes.several ?? plan.several.means },
    asked: plan.asked.filter((one) => changes[one] === undefined),
    encoding: changes.encoding ?? plan.encoding,
    encoding_guessed: plan.encoding_guessed && changes.encoding === undefined,
    // The select shows the name by itself.
    ...(supplier_id !== undefined && { supplier: supplier_id === null ? null : { id: supplier_id, name: '' } }),
    columns: plan.columns.map((column) => {
      const chosen = fields.get(column.column)
      if (chosen !== undefined) return { ...column, field: chosen, how: 'chosen' }
      return isTakenBy(mapping, column.column, column.field) ? { ...column, field: null, how: 'chosen' } : column
    }),
    defaults: withDefaults(plan.defaults, defaults),
    remembered_defaults: withDefaults(
      plan.remembered_defaults,
      Object.fromEntries(Object.keys(defaults).map((field) => [field, null])),
    ),
    currencies: plan.currencies.map((one) => {
      const said = rates.find(({ currency }) => currency === one.currency)
      return said ? { ...one, rate: said.rate, remembered: null } : one
    }),
    unknown: plan.unknown.filter((name) => !isChanged(name)),
    meanings: [
      ...plan.meanings.filter((meaning) => !isChanged(meaning)),
      ...values.flatMap(({ means, ...value }) => (means === null ? [] : [{ ...value, means, remembered: null }])),
    ],
  }
}

type OfDefaults<Value> = Partial<Record<DefaultField, Value>>

function withDefaults<Value>(before: OfDefaults<Value>, changed: OfDefaults<Value | null>): OfDefaults<Value> {
  const now = { ...before }
  for (const field of DEFAULT_FIELDS) {
    const value = changed[field]
    if (value === null) delete now[field]
    else if (value !== undefined) now[field] = value
  }
  return now
}
