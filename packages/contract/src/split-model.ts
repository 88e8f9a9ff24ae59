import { plainName } from './plain-text.ts'
import { CAPACITY_UNITS, type CapacityUnit } from './product-name.ts'

/** A possible meaning of a model's name; it says nothing about absent fields. */
export type SplitModel = { make?: string; model: string; capacity?: number; capacity_unit?: CapacityUnit }

/** French writes octets. */
const CAPACITY_AT_END = /(?<=[ (,/-])(\d{1,6}) ?([MGT])[BO] ?\)?$/i
/** Signs between a model's name and its capacity. */
const BETWEEN = new Set(' (,/-')
/** Few makes have a name of more words. */
const MAKE_WORDS = 3

/** The name before the capacity that begins at `end`: one mark and the blanks around it go. */
function nameBefore(name: string, end: number): string {
  const rest = name.slice(0, end).trimEnd()
  return rest.length === end && BETWEEN.has(rest.charAt(end - 1)) ? rest.slice(0, -1).trimEnd() : rest
}

/**
 * The possible meanings of `Apple iPhone 13 128GB`, the likeliest first: the name as it is; without its make, if that
 * is `make` or (if no make is given) each of its first words; without its capacity; without both. The caller takes the
 * first that the catalogue has.
 */
export function splitModel(make: string | null, model: string): SplitModel[] {
  const name = plainName(model)
  if (name === '') return []
  const capacity = CAPACITY_AT_END.exec(name)
  const [, digits, letter] = capacity ?? []
  const before = capacity && nameBefore(name, capacity.index)
  const unit = CAPACITY_UNITS.find((one) => one[0] === letter?.toUpperCase())
  const names: SplitModel[] = [{ model: name }]
  if (before && unit && Number(digits) > 0) names.push({ model: before, capacity: Number(digits), capacity_unit: unit })
  return names.flatMap((one) => [one, ...withoutMake(make === null ? null : plainName(make), one)])
}

function withoutMake(make: string | null, split: SplitModel): SplitModel[] {
  const words = split.model.split(' ')
  const makes = make === null ? words.slice(0, MAKE_WORDS).map((_, n) => words.slice(0, n + 1).join(' ')) : [make]
  return makes.flatMap((one) => {
    const rest = split.model.slice(one.length + 1)
    const stands = split.model.toLowerCase().startsWith(`${one.toLowerCase()} `)
    return one !== '' && stands && rest !== '' ? [{ ...split, make: one, model: rest }] : []
  })
}

/** A model's name without the capacity at its end. */
export function withoutCapacity(model: string): string {
  return splitModel('', model).at(-1)?.model ?? model
}
