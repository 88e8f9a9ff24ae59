import { z } from 'zod'
import { writeAnswer } from './answer.ts'
import { columnCalled } from './csv-columns.ts'
import { FUNCTIONAL } from './device-function.ts'
import {
  Currency,
  Id,
  listOf,
  MAX_ID,
  notes,
  OptionalDate,
  optionalIdentifier,
  optionalText,
  Timestamp,
} from './fields.ts'
import { MAX_PRICE } from './money.ts'
import { flagFilter, wantedIds } from './page.ts'
import { plainName, textProblem } from './plain-text.ts'
import { CAPACITY_UNITS } from './product-name.ts'
import { SALE_STATUSES } from './sale-status.ts'
import { MAX_ITEMS, NEW_STOCK_STATUSES } from './stock-status.ts'
import { TREATMENTS } from './treatment.ts'

/** The most items in one push. */
export const MAX_PUSH = 10_000
/** The most different fields in one push that Backstock has no field for. */
export const MAX_FURTHER_FIELDS = 400
/** The most records of one answer, and the number of records if `limit` is left out. */
const MAX_LIMIT = 250
const DEFAULT_LIMIT = 100

const first = (value: unknown) => (Array.isArray(value) ? value[0] : value)

/** A whole number in an address; undefined if it is left out or empty. */
const whole = (min: number, max: number) =>
  z.preprocess((value) => {
    const text = String(first(value) ?? '').trim()
    return text === '' ? undefined : /^-?\d{1,15}$/.test(text) ? Number(text) : text
  }, z
    .int({ error: 'must be a whole number' })
    .min(min, `must be from ${min} to ${max}`)
    .max(max, `must be from ${min} to ${max}`)
    .optional())

const name = z
  .preprocess(
    (value) => [value].flat().flatMap((text) => plainName(String(text ?? '')) || []),
    z
      .array(
        z
          .string()
          .max(255, 'must have at most 255 characters')
          .refine((text) => !text.includes('\0'), 'has a character that no name has'),
      )
      .max(50, 'takes at most 50 names'),
  )
  .transform((names) => (names.length ? names : undefined))
  .optional()

/** The parameters for the start and the length of a page. */
const paging = {
  after: whole(0, MAX_ID).describe('The `next` of the page before. Left out: the first page.'),
  limit: whole(1, MAX_LIMIT)
    .transform((limit) => limit ?? DEFAULT_LIMIT)
    .describe(`The most records of an answer: 1 to ${MAX_LIMIT}. If it is left out: ${DEFAULT_LIMIT}.`),
}

/**
 * A page that starts after a given record, not at a position in the list. So no record is skipped or repeated while
 * records come and go.
 */
const pageOf = <Row extends z.ZodType>(row: Row) =>
  z.object({
    success: z.literal(true),
    data: z.array(row),
    next: z.int().nullable().describe('Ask for the next page with `after` set to this. Null: this is the last page.'),
  })

const byName = (what: string) =>
  name.describe(`Only this ${what}; capitals do not matter. Repeat it to name several. Empty: any ${what}.`)
const catalogueFilters = { make: byName('make'), category: byName('category'), colour: byName('colour') }

const described = {
  display_name: z.string().describe('Make, model, capacity and colour.'),
  make: z.string(),
  model: z.string(),
  capacity: z.int().nullable(),
  capacity_unit: z.enum(CAPACITY_UNITS).nullable(),
  colour: z.string().nullable(),
  category: z.string(),
}

export const PartnerProduct = z.object({
  id: z.int(),
  ...described,
  active: z.boolean().describe('Whether it is still traded.'),
})
export type PartnerProduct = z.infer<typeof PartnerProduct>
export const PartnerProducts = pageOf(PartnerProduct)
export const PartnerProductQuery = z.object({ ...paging, ...catalogueFilters })
export type PartnerProductQuery = z.infer<typeof PartnerProductQuery>

/** The fields of an item for sale that a partner sees. They leave out its cost, its supplier and its notes. */
export const PartnerStockItem = z.object({
  id: z.int().describe('To order the item, send this id.'),
  product_id: z.int(),
  ...described,
  imei: z.string().nullable(),
  serial_number: z.string().nullable(),
  imei2: z.string().nullable().describe('The second IMEI of a phone with two.'),
  meid: z.string().nullable(),
  eid: z.string().nullable(),
  grade: z.string().nullable().describe('How it looks, by the trader’s own grades.'),
  functional: z.enum(FUNCTIONAL).nullable().describe('Whether it works, as the trader tested it. Null: not known.'),
  battery_health: z.int().nullable().describe('Percent of what the battery held when it was new.'),
  grading_data: z.record(z.string(), z.unknown()).describe('How the item was graded, as its grader wrote it.'),
  network_locked: z.boolean(),
  sales_price: z
    .int()
    .nullable()
    .describe('In hundredths, without VAT. Null: it has no price yet and cannot be ordered.'),
  sales_currency: z.string(),
  vat_rate: z.number().describe('Percent.'),
})
export type PartnerStockItem = z.infer<typeof PartnerStockItem>
export const PartnerStock = pageOf(PartnerStockItem)
export const PartnerStockQuery = z.object({
  ...paging,
  ids: wantedIds.describe(
    'Only these items, comma-separated: those that are missing in the answer are not available. An empty list finds none.',
  ),
  product_id: wantedIds.describe('Only of these products, comma-separated. An empty list finds none.'),
  ...catalogueFilters,
  min_price: whole(0, MAX_PRICE).describe('Only from this sales price on, in hundredths.'),
  max_price: whole(0, MAX_PRICE).describe('Only up to this sales price, in hundredths.'),
  network_locked: flagFilter.describe('`true` or `false`.'),
})
export type PartnerStockQuery = z.infer<typeof PartnerStockQuery>

const PRICE = 'Must be a whole number of hundredths.'
const price = () => z.int({ error: PRICE }).min(0, 'Must not be negative.').max(MAX_PRICE, 'At most 100000000.')

const OrderedItem = z.object({
  id: Id.describe('The id of an item that is for sale.'),
  sales_price: price()
    .optional()
    .describe('The price that you saw, in hundredths. If the item has another price now, the order is refused.'),
})
const NONE = 'Name at least one item.'

export const PartnerOrderInput = z.object({
  items: listOf(
    z.array(OrderedItem, { error: NONE }).min(1, NONE),
    MAX_ITEMS,
    `At most ${MAX_ITEMS} items in one order.`,
  ),
  reference_number: optionalText().optional().describe('Your own number for this order.'),
})
export type PartnerOrderInput = z.infer<typeof PartnerOrderInput>

export const PartnerOrderRow = z.object({
  id: z.int(),
  status: z.enum(SALE_STATUSES),
  reference_number: z.string().nullable(),
  invoice_number: z.string().nullable(),
  courier: z.string().nullable(),
  outbound_tracking_number: z.string().nullable(),
  total_items: z.int(),
  total_sales_price: z.int().describe('In hundredths, without VAT.'),
  total_sales_price_vat: z.int().describe('In hundredths, with VAT.'),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type PartnerOrderRow = z.infer<typeof PartnerOrderRow>

export const PartnerOrder = PartnerOrderRow.extend({
  vat_totals: z
    .array(z.object({ treatment: z.enum(TREATMENTS), rate: z.number(), net: z.int(), vat: z.int() }))
    .describe('Net and VAT for each treatment and rate.'),
  items: z.array(
    z.object({
      id: z.int(),
      product_name: z.string(),
      imei: z.string().nullable(),
      serial_number: z.string().nullable(),
      vat_rate: z.number(),
      sales_price: z.int().describe('In hundredths, without VAT.'),
      available: z.boolean().describe('False once the item has come off the order.'),
      returned: z.boolean(),
    }),
  ),
})
export type PartnerOrder = z.infer<typeof PartnerOrder>
export const PartnerOrders = pageOf(PartnerOrderRow)
export const PartnerOrderAnswer = z.object({ success: z.literal(true), data: PartnerOrder })
export const PartnerOrderPlaced = writeAnswer(PartnerOrder)
export const PartnerOrderQuery = z.object(paging)

/** Why a further field cannot have this name; undefined if it can. The name becomes a column in exports. */
function nameProblem(field: string): string | undefined {
  // JavaScript gives `__proto__` a meaning of its own, so the value would be lost.
  if (field === 'grading___proto__') return 'Is not a valid name for a field.'
  // An import of an exported file normalises the names of columns. So it would not recognise a name that normalising
  // changes.
  const isName = field !== '' && field === plainName(field) && field.length <= 255 && textProblem(field) === null
  if (!isName) return 'Is not a valid name for a field.'
  // An import would take these names for columns of ours, in any spelling.
  if (columnCalled(field))
    return 'Is not a field of a pushed item, or must be written in small letters with underscores.'
  return undefined
}

/**
 * Values of fields that were added later. Before, partners could send a further field of the same name, as text or as a
 * number, so both are still accepted. A bad value fails its row only.
 */
const textOrNumber = () => z.union([notes(), z.number()], { error: 'Must be text or a number.' }).optional()

const pushedFields = {
  backstock_id: optionalIdentifier()
    .optional()
    .describe('An id of your own for the item. No two items in the trader’s stock may have the same one.'),
  imei: optionalIdentifier().optional().describe('14 to 16 digits.'),
  serial_number: optionalIdentifier().optional().describe('An item needs an IMEI or a serial number.'),
  deleted: z
    .boolean({ error: 'Must be true or false.' })
    .optional()
    .describe('True takes the item out; then only the three fields above count.'),
  status: z
    .enum(NEW_STOCK_STATUSES, { error: `Must be ${NEW_STOCK_STATUSES.join(' or ')}.` })
    .nullish()
    .describe('A new item is Inbound unless you say In Stock. In Stock brings back an item that was taken out.'),
  make: optionalText().optional().describe('A new item needs make and model, and category if the product is new.'),
  model: optionalText().optional(),
  capacity: z
    .int({ error: 'Must be a whole number.' })
    .min(1, 'Must be 1 or more.')
    .max(1_000_000, 'At most 1,000,000.')
    .nullish(),
  capacity_unit: z.enum(CAPACITY_UNITS, { error: 'Must be MB, GB or TB.' }).nullish(),
  colour: optionalText().optional(),
  category: optionalText().optional(),
  supplier: optionalText().optional().describe('The name of a supplier that the trader has.'),
  purchase_price: price().nullish().describe('What you ask for it, in hundredths. A new item needs it.'),
  purchase_currency: Currency.nullish(),
  purchase_date: OptionalDate.optional().describe('Not later than tomorrow: an item with a later date fails.'),
  sales_price: price().nullish().describe('In hundredths, without VAT.'),
  sales_currency: Currency.nullish(),
  vat: optionalText().optional().describe('The name of a VAT type that the trader has.'),
  network_locked: z.boolean({ error: 'Must be true or false.' }).nullish(),
  engineer_notes: notes().optional(),
  grade: optionalText().optional().describe('The name of a grade that the trader has.'),
  functional: optionalText()
    .optional()
    .describe(`One of ${FUNCTIONAL.join(', ')}.`),
  battery_health: textOrNumber().describe('Percent of what the battery held when it was new: 0 to 100.'),
  imei2: optionalIdentifier().optional().describe('The second IMEI of a phone with two. Their order means nothing.'),
  meid: optionalIdentifier().optional().describe('14 digits, of which some may be A to F.'),
  eid: optionalIdentifier().optional().describe('32 digits.'),
  location: optionalText().optional().describe('Its place in the warehouse.'),
}

/** An item as a partner pushes it. A field that is absent or null stays as it is. */
export const PushedItem = z
  .object(pushedFields)
  .catchall(z.union([notes(), z.number(), z.boolean()], { error: 'Must be text, a number, true or false.' }))
  .superRefine((item, context) => {
    for (const field of Object.keys(item)) {
      const message = Object.hasOwn(pushedFields, field) ? undefined : nameProblem(field)
      if (message) context.addIssue({ code: 'custom', path: [field], message })
    }
  })
  .describe('A field `grading_x` is grading data; any other that is not named here is stored as a further column.')
export type PushedItem = z.infer<typeof PushedItem>

export const PushInput = z.object({
  items: listOf(
    z.array(PushedItem, { error: NONE }).min(1, NONE),
    MAX_PUSH,
    `At most ${MAX_PUSH.toLocaleString('en')} items in one call.`,
  ),
})
export const PushAccepted = writeAnswer(z.object({ import_id: z.int() }))

export const PartnerImport = z.object({
  import_id: z.int(),
  state: z.enum(['waiting', 'running', 'done', 'failed']),
  progress: z.int().describe('0 to 100. At 100 the import has ended.'),
  total_rows: z.int(),
  processed_rows: z.int(),
  successed_rows: z.int(), // The misspelling is part of the interface, as in the status of an import.
  failed_rows: z.int(),
  error: z.string().nullable().describe('Why it stopped, if it stopped early.'),
  created_at: Timestamp,
  ended_at: Timestamp.nullable(),
  errors: z
    .array(z.object({ row: z.int(), errors: z.record(z.string(), z.string()) }))
    .describe('The rows that failed, with a message for each field. The first item of the call is row 1.'),
})
export type PartnerImport = z.infer<typeof PartnerImport>
export const PartnerImportAnswer = z.object({
  success: z.literal(true),
  data: PartnerImport,
  next: z.int().nullable().describe('More failed rows: ask with `after` set to this. Null: these are the last.'),
})
export const PartnerImportQuery = z.object(paging)
