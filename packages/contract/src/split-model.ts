import { coloursIn } from './import-words.ts'
import { plainName } from './plain-text.ts'
import { CAPACITY_UNITS, type CapacityUnit } from './product-name.ts'

/** A possible meaning of a model's name. A field that is absent is unknown. */
export type SplitModel = {
  make?: string
  model: string
  capacity?: number
  capacity_unit?: CapacityUnit
  colour?: string
}

/** A capacity at the end. French files write octets (`128 Go`). */
const CAPACITY_AT_END = /(?<=[ (,/-])(\d{1,6}) ?([MGT])[BO] ?\)?$/i
/** The signs that may separate a model's name from its capacity. */
const BETWEEN = new Set(' (,/-')
/** Working memory and capacity at the end, in either order: `8/256GB`, `8GB+256GB`, `256GB 8GB RAM`. */
const PAIR_AT_END =
  /(?<=[ (,/-])(\d{1,4}) ?(?:([GT])[BO])?(?: ?R[AO]M)?( ?[/+] ?|[ ,-]+)(\d{1,4}) ?(?:([GT])[BO])?(?: ?R[AO]M)? ?\)?$/i
/** A number at the end that may be a capacity in GB. */
const NUMBER_AT_END = /(?<=[ (,/-])(\d{2,4}) ?\)?$/
const USUAL = [16, 32, 64, 128, 256, 512, 1024, 2048]
/**
 * The smallest number that is surely a capacity. Smaller ones are in names of models, too (`iPhone 16`, `Moto G 64`).
 */
const SURELY = 128
/** The most words of a make's name. Hardly any make has more. */
const MAKE_WORDS = 3

/** The name before the capacity that begins at `end`, without the sign between the two and the blanks around it. */
function nameBefore(name: string, end: number): string {
  const rest = name.slice(0, end).trimEnd()
  return rest.length === end && BETWEEN.has(rest.charAt(end - 1)) ? rest.slice(0, -1).trimEnd() : rest
}

/**
 * The possible meanings of a name such as `Apple iPhone 13 128GB`, the likeliest first: the name as it is; without its
 * make; without its capacity; without both. The make is `make`; if `make` is null, it is each of the first words that
 * may be one. The caller takes the first meaning that the catalogue has.
 */
export function splitModel(make: string | null, model: string): SplitModel[] {
  const name = plainName(model)
  if (name === '') return []
  const names: SplitModel[] = [{ model: name }]
  const split = inPair(name) ?? atEnd(name)
  if (split) names.push(split)
  return names.flatMap((one) => [one, ...withoutMake(make === null ? null : plainName(make), one)])
}

/**
 * Reads a pair of working memory and capacity at the end of a name. Null: the name has no pair at its end. False: the
 * two numbers may be two capacities, so nothing is known.
 */
function inPair(name: string): SplitModel | null | false {
  const pair = PAIR_AT_END.exec(name)
  if (!pair) return null
  const [, first = '', firstUnit, between = '', second = '', secondUnit] = pair
  const [a, b] = [inGb(first, firstUnit), inGb(second, secondUnit)]
  const isJoined = /[/+]/.test(between)
  if ((!isJoined && (!firstUnit || !secondUnit)) || !USUAL.includes(Math.max(a, b))) return null
  const before = nameBefore(name, pair.index)
  // `iPhone 12/128GB` is no pair: the first number belongs to the model.
  if (!firstUnit && !/\d/.test(before)) return null
  if (before === '' || !areMemoryAndCapacity(Math.min(a, b), Math.max(a, b))) return false
  return { model: before, ...inUnits(...(a > b ? ([first, firstUnit] as const) : ([second, secondUnit] as const))) }
}

/**
 * Whether two numbers are working memory and capacity as phones have them: 2/16, 8/128 or 16/512. `16/128` may be two
 * capacities.
 */
const areMemoryAndCapacity = (memory: number, capacity: number) =>
  capacity >= memory * 8 && memory <= 24 && (memory <= 12 || capacity >= 256)

/** In GB. Present phones have at least this capacity; a smaller number is probably their working memory. */
const LEAST = 16
/**
 * Whether the capacity in a name such as `Galaxy S23 8GB` may be working memory. Old phones and players really have as
 * little.
 */
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

/**
 * A model's name with a number at its end that may be a capacity. `isSure` means that it is one, even if the catalogue
 * does not have the model.
 */
export type BareCapacity = { split: SplitModel; isSure: boolean }

/**
 * The possible meanings of a name such as `iPhone 14 Pro 256` if its number is a capacity, in the order of
 * `splitModel`. Only the usual capacities count; any other number belongs to the model.
 */
export function bareCapacities(make: string | null, model: string): BareCapacity[] {
  const name = plainName(model)
  const found = NUMBER_AT_END.exec(name)
  const number = Number(found?.[1])
  if (!found || !USUAL.includes(number) || inPair(name) !== null) return []
  const before = nameBefore(name, found.index)
  // A number after a single letter belongs to the model: `Galaxy A 32` is a Galaxy A32.
  if (before === '' || /(?:^| )[A-WYZ]$/i.test(before)) return []
  const capacity = inUnits(String(number >= 1024 ? number / 1024 : number), number >= 1024 ? 'T' : 'G')
  const one = { model: before, ...capacity }
  return [one, ...withoutMake(make === null ? null : plainName(make), one)].map((split) => ({
    split,
    isSure: number >= SURELY && split.model.includes(' '),
  }))
}

const CAPACITY_WORD = /^(\d{1,6})([MGT])[BO]$/i
/** The most words of a colour's name. */
const COLOUR_WORDS = 3

/**
 * The possible meanings of a whole name such as `Apple iPhone 12 64GB Black` if the words behind its capacity are a
 * colour, in the order of `splitModel`. The caller takes the first meaning whose words are a colour and whose
 * model the catalogue has.
 */
export function colouredModels(make: string | null, model: string): SplitModel[] {
  const words = plainName(model).split(' ')
  for (let end = words.length - 1; end > 1 && words.length - end <= COLOUR_WORDS; end--) {
    const isApart = /^[MGT][BO]$/i.test(words[end - 1]!)
    const start = isApart ? end - 2 : end - 1
    const [, digits, letter] = CAPACITY_WORD.exec(words.slice(start, end).join('')) ?? []
    if (start < 1 || digits === undefined) continue
    const colour = words.slice(end).join(' ')
    const one = { model: words.slice(0, start).join(' '), ...inUnits(digits, letter), colour }
    return [one, ...withoutMake(make === null ? null : plainName(make), one)]
  }
  return []
}

/**
 * The possible meanings of a name such as `Apple iPhone 12 Space Black`, whose last word is known as a colour, in the
 * order of `splitModel`. The caller takes the first meaning whose words are a colour and whose model the
 * catalogue has.
 */
export function modelsWithColour(make: string | null, model: string): SplitModel[] {
  const words = plainName(model).split(' ')
  if (words.length > 20 || coloursIn(words.at(-1) ?? '').size === 0) return []
  return [1, 2, COLOUR_WORDS].flatMap((many) => {
    const colour = words.slice(-many).join(' ')
    const one = { model: words.slice(0, -many).join(' '), colour }
    return one.model === '' ? [] : [one, ...withoutMake(make === null ? null : plainName(make), one)]
  })
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

/** A model's name without a capacity at its end. */
export function withoutCapacity(model: string): string {
  return splitModel('', model).at(-1)?.model ?? model
}
