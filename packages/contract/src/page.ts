import { z } from 'zod'
import { MAX_ID } from './fields.ts'
import { MAX_PRICE } from './money.ts'
import { DEFAULT_PAGE_SIZE, MAX_IDS, MAX_PAGE_SIZE } from './page-size.ts'
import { plainName } from './plain-text.ts'
import { isCalendarDate, isMonday } from './time.ts'

/** The highest page number. No list has more pages, and the database can still count the rows before it. */
const MAX_PAGE = 10_000_000

const first = (value: unknown) => (Array.isArray(value) ? value[0] : value)
const list = (value: unknown) =>
  (Array.isArray(value) ? value : [value])
    .flatMap((part) => String(part).split(','))
    .map((part) => part.trim())
    .filter(Boolean)

/** A whole number in an address. An id above the database's range is no error: it matches nothing. */
const whole = z.preprocess(
  (value) => {
    const text = String(first(value) ?? '').trim()
    return /^-?\d{1,15}$/.test(text) ? Number(text) : text
  },
  z.int({ error: 'must be a whole number' }),
)
const idFilter = whole.transform((id) => (id > MAX_ID || id < 1 ? -1 : id))
const flag = z.preprocess(
  (value) => ({ '1': true, true: true, '0': false, false: false, '': undefined })[String(first(value))] ?? value,
  z.boolean({ error: 'must be true or false' }),
)

/** The ids of the records that a caller wants, comma-separated or repeated. An empty list finds no record. */
export const wantedIds = z.preprocess(list, z.array(idFilter).max(MAX_IDS, `takes at most ${MAX_IDS} ids`)).optional()

/**
 * A filter by ids, as a list's address has it: comma-separated or repeated. An empty value filters nothing. If an empty
 * value means an empty list, use `wantedIds`.
 */
export const idsFilter = z
  .preprocess((value) => list(value), z.array(idFilter).max(MAX_IDS, `takes at most ${MAX_IDS} ids`))
  .transform((ids) => (ids.length ? ids : undefined))
  .optional()

/** A filter by ids of staff. `me` stands for the person who asks. An empty value filters nothing. */
export const staffFilter = z
  .preprocess(
    (value) => list(value),
    z
      .array(z.union([z.literal('me'), idFilter], { error: "must be whole numbers or 'me'" }))
      .max(MAX_IDS, `takes at most ${MAX_IDS} ids`),
  )
  .transform((chosen) => (chosen.length ? chosen : undefined))
  .optional()

/** A filter by some of the given words. An empty value filters nothing. */
export const wordsFilter = <const W extends readonly [string, ...string[]]>(words: W) =>
  z
    .preprocess((value) => list(value), z.array(z.enum(words, { error: `must be one of ${words.join(', ')}` })))
    .transform((chosen) => (chosen.length ? [...new Set(chosen)] : undefined))
    .optional()

export const flagFilter = z.preprocess((value) => (first(value) === '' ? undefined : value), flag.optional())

/** A filter by the first or the last day of a period. An empty value filters nothing. */
export const dayFilter = z.preprocess(
  (value) => first(value) || undefined,
  z.string().refine(isCalendarDate, 'must be a real date as yyyy-mm-dd').optional(),
)

const PRICE_RANGE = `must be from 0 to ${MAX_PRICE} cents`
/** A filter by the lowest or the highest price, in hundredths. An empty value filters nothing. */
export const priceFilter = z.preprocess((value) => {
  const text = String(first(value) ?? '').trim()
  return /^-?\d{1,15}$/.test(text) ? Number(text) : text || undefined
}, z.int({ error: 'must be a whole number of cents' }).min(0, PRICE_RANGE).max(MAX_PRICE, PRICE_RANGE).optional())

/** Words to search for, without invisible characters. An empty text filters nothing. */
export const searchFilter = z
  .preprocess(first, z.string().max(255, 'must have at most 255 characters'))
  .transform((text) => plainName(text.replaceAll('\0', '')) || undefined)
  .optional()

/** A filter by a week, given as the date of its Monday. An empty value filters nothing. */
export const weekFilter = z.preprocess(
  (value) => first(value) || undefined,
  z.string().refine(isMonday, 'must be a Monday as yyyy-mm-dd').optional(),
)

/** Filters by id. An empty `ids` finds no record. */
export const recordFilters = {
  id: idFilter.optional(),
  ids: wantedIds,
}

export type Order<Column extends string = string> = { column: Column; direction: 'asc' | 'desc' }

/**
 * The query of every find: page, search, order and the filters of the area. `order` and `order_by` mean the same, in
 * the form `{column}_{asc|desc}`. A bad value of a known parameter is a 400 that names the parameter; unknown
 * parameters are ignored.
 */
export function listQuery<const Columns extends readonly [string, ...string[]], Filters extends z.ZodRawShape>(
  columns: Columns,
  filters: Filters,
  defaultOrder: `${Columns[number]}_${'asc' | 'desc'}` = 'id_desc' as never,
) {
  const orders = columns.flatMap((column) => [`${column}_asc`, `${column}_desc`]) as [string, ...string[]]
  const order = z.preprocess(
    (value) => (first(value) === '' ? undefined : first(value)),
    z.enum(orders, { error: `must be one of ${orders.join(', ')}` }).optional(),
  )
  return z
    .object({
      page: whole.refine((n) => n >= 1 && n <= MAX_PAGE, `must be from 1 to ${MAX_PAGE}`).default(1),
      per_page: whole
        .refine((n) => n >= 1 && n <= MAX_PAGE_SIZE, `must be from 1 to ${MAX_PAGE_SIZE}`)
        .default(DEFAULT_PAGE_SIZE),
      search: searchFilter,
      quick: flagFilter,
      list: flagFilter,
      select: flagFilter.describe('Records that begin with the search come first, as a select field shows them.'),
      ...recordFilters,
      ajax_id: z.preprocess((value) => (first(value) === '' ? undefined : value), idFilter.optional()),
      order,
      order_by: order,
      ...filters,
    })
    .transform((parsed): ListQuery<Columns[number]> & z.output<z.ZodObject<Filters>> => {
      const { order, order_by, ...rest } = parsed as typeof parsed & { order?: string; order_by?: string }
      const text = order_by ?? order ?? defaultOrder
      const cut = text.lastIndexOf('_')
      const chosen = { column: text.slice(0, cut), direction: text.slice(cut + 1) } as Order<Columns[number]>
      return { ...rest, order: chosen } as unknown as ListQuery<Columns[number]> & z.output<z.ZodObject<Filters>>
    })
}

/** The parameters of every find, beside the area's filters. */
export type ListQuery<Column extends string = string> = {
  page: number
  per_page: number
  search?: string | undefined
  quick?: boolean | undefined
  list?: boolean | undefined
  select?: boolean | undefined
  id?: number | undefined
  ids?: number[] | undefined
  ajax_id?: number | undefined
  order: Order<Column>
}

/**
 * One page of records. `from` and `to` are the places of its first and last record, null if the page is empty. `total`
 * counts all records of the list.
 */
export type Page<Row> = {
  data: Row[]
  current_page: number
  last_page: number
  prev_page_url: string | null
  next_page_url: string | null
  from: number | null
  to: number | null
  total: number
  per_page: number
}

/** The schema of the answer to every find request: one page of rows. */
export const pageOf = <Row extends z.ZodType>(row: Row) =>
  z.object({
    success: z.literal(true),
    data: z.array(row),
    current_page: z.int(),
    last_page: z.int(),
    prev_page_url: z.string().nullable(),
    next_page_url: z.string().nullable(),
    from: z.int().nullable(),
    to: z.int().nullable(),
    total: z.int(),
    per_page: z.int(),
  })
