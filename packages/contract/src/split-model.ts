import { plainName } from './plain-text.ts'
import { CAPACITY_UNITS, type CapacityUnit } from './product-name.ts'

/** A possible meaning of a model's name; it says nothing about absent fields. */
export type SplitModel = { make?: string; model: string; capacity?: number; capacity_unit?: CapacityUnit }

/** French writes octets. */
const CAPACITY_AT_END = /(?<=[ (,/-])(\d{1,6}) ?([MGT])[BO] ?\)?$/i
/** Signs between a model's name and its capacity. */
const BETWEEN = new Set(' (,/-')
/** `8/256GB`, `8GB+256GB`, `256GB 8GB RAM`: working memory and capacity, in either order. */
const PAIR_AT_END =
  /(?<=[ (,/-])(\d{1,4}) ?(?:([GT])[BO])?(?: ?R[AO]M)?( ?[/+] ?|[ ,-]+)(\d{1,4}) ?(?:([GT])[BO])?(?: ?R[AO]M)? ?\)?$/i
/** A number at the end that may be a capacity in GB. */
const NUMBER_AT_END = /(?<=[ (,/-])(\d{2,4}) ?\)?$/
const USUAL = [16, 32, 64, 128, 256, 512, 1024, 2048]
/** Models are called by smaller numbers (`iPhone 16`, `Moto G 64`), and hardly by these. */
const SURELY = 128
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
  const names: SplitModel[] = [{ model: name }]
  const split = inPair(name) ?? atEnd(name)
  if (split) names.push(split)
  return names.flatMap((one) => [one, ...withoutMake(make === null ? null : plainName(make), one)])
}

/** Null: there is a capacity alone, or none. False: its two numbers may be two capacities, and nothing is known. */
function inPair(name: string): SplitModel | null | false {
  const pair = PAIR_AT_END.exec(name)
  if (!pair) return null
  const [, first = '', firstUnit, between = '', second = '', secondUnit] = pair
  const [a, b] = [inGb(first, firstUnit), inGb(second, secondUnit)]
  const isJoined = /[/+]/.test(between)
  if ((!isJoined && (!firstUnit || !secondUnit)) || !USUAL.includes(Math.max(a, b))) return null
  const before = nameBefore(name, pair.index)
  // `iPhone 12/128GB`: the first number is the model's.
  if (!firstUnit && !/\d/.test(before)) return null
  if (before === '' || !areMemoryAndCapacity(Math.min(a, b), Math.max(a, b))) return false
  return { model: before, ...inUnits(...(a > b ? ([first, firstUnit] as const) : ([second, secondUnit] as const))) }
}

/** As phones have them: 2/16, 8/128, 16/512. `16/128` may be two capacities. */
const areMemoryAndCapacity = (memory: number, capacity: number) =>
  capacity >= memory * 8 && memory <= 24 && (memory <= 12 || capacity >= 256)

/** In GB. Phones of our days have at least this capacity, and less than it as working memory. */
const LEAST = 16
/** Whether the capacity of `Galaxy S23 8GB` may be working memory. Old phones and players have as little. */
export const mayBeMemory = ({ capacity, capacity_unit }: SplitModel): boolean =>
  capacity_unit === 'GB' && capacity !== undefined && capacity < LEAST

const inGb = (digits: string, letter: string | undefined) => Number(digits) * (/t/i.test(letter ?? '') ? 1024 : 1)

const inUnits = (digits: string, letter = 'G'): Required<Pick<SplitModel, 'capacity' | 'capacity_unit'>> => ({
  capacity: Number(digits),
  capacity_unit: /t/i.test(letter) ? 'TB' : 'GB',
})

function atEnd(name: string): SplitModel | null {
  const capacity = CAPACITY_AT_END.exec(name)
  const [, digits, letter] = capacity ?? []
  const before = capacity && nameBefore(name, capacity.index)
  const unit = CAPACITY_UNITS.find((one) => one[0] === letter?.toUpperCase())
  return before && unit && Number(digits) > 0 ? { model: before, capacity: Number(digits), capacity_unit: unit } : null
}

/** A model's name with a capacity that has no unit. `isSure`: the number is one even if nobody knows the model. */
export type BareCapacity = { split: SplitModel; isSure: boolean }

/**
 * The meanings of `iPhone 14 Pro 256` if its number is a capacity, as `splitModel` has them. Other numbers than the
 * usual ones are the model's.
 */
export function bareCapacities(make: string | null, model: string): BareCapacity[] {
  const name = plainName(model)
  const found = NUMBER_AT_END.exec(name)
  const number = Number(found?.[1])
  if (!found || !USUAL.includes(number) || inPair(name) !== null) return []
  const before = nameBefore(name, found.index)
  // `Galaxy A 32` is a Galaxy A32.
  if (before === '' || /(?:^| )[A-WYZ]$/i.test(before)) return []
  const capacity = inUnits(String(number >= 1024 ? number / 1024 : number), number >= 1024 ? 'T' : 'G')
  const one = { model: before, ...capacity }
  return [one, ...withoutMake(make === null ? null : plainName(make), one)].map((split) => ({
    split,
    isSure: number >= SURELY && split.model.includes(' '),
  }))
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
