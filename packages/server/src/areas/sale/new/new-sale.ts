import { CountryCode } from '@backstock/contract/address.ts'
import type { FieldErrors } from '@backstock/contract/answer.ts'
import { Id, OptionalPrice } from '@backstock/contract/fields.ts'
import { NewCustomer, SaleCreateInput } from '@backstock/contract/sale.ts'
import { someSentences } from '@backstock/contract/some-of.ts'
import { MAX_ITEMS } from '@backstock/contract/stock-status.ts'
import { fieldErrors } from '../../../http/field-errors.ts'

/** A sale as a person asked for it: the options, and the buyer as an id or as a new customer. */
export type NewSale = {
  options: SaleCreateInput
  /** The customer's id, or the new customer's fields. If there are no `errors`, the customer is complete. */
  customer: number | Partial<NewCustomer> | undefined
  /**
   * The errors of fields that cannot be read. `options` then has the other fields, so that `createSale` can find
   * further errors.
   */
  errors?: FieldErrors
}

/** The field under which all errors of prices are reported. */
export const PRICE_FIELD = 'sale_price[]'

const isFilled = (value: unknown) => value !== undefined && value !== null && String(value).trim() !== ''

/**
 * Reads the body of `sale/create`. `errors` has all faults under the field names `customer`, `customer_first_name` and
 * so on, `stock_items` and `sale_price[]`.
 */
export function readNewSale(body: unknown): NewSale {
  const fields = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
  const errors: FieldErrors = {}
  const options = SaleCreateInput.safeParse(fields)
  const sent = sentLines(fields['stock_items'])
  if (options.error) Object.assign(errors, optionErrors(options.error.issues, sent))
  const read = options.data ?? readableOptions(fields, sent)
  addDuplicates(errors, read)
  return { options: read, customer: readCustomer(fields, errors), errors }
}

function readCustomer(fields: Record<string, unknown>, errors: FieldErrors): NewSale['customer'] {
  if (errors['customer']) return undefined
  const chosen = SaleCreateInput.shape.customer_id.safeParse(fields['customer_id']).data
  if (chosen) return chosen
  const sent = Object.keys(NewCustomer.shape).filter((name) => fields[name] !== undefined)
  if (!sent.some((name) => isFilled(fields[name]))) errors['customer'] = 'Choose a customer or enter a new one.'
  if (sent.length === 0) return undefined
  // An empty field of a new customer is parsed too, so that the message names this field and does not ask to choose a
  // customer.
  const { data, error } = NewCustomer.safeParse(fields)
  if (error) Object.assign(errors, fieldErrors(error.issues))
  return data ?? { customer_country_code: CountryCode.safeParse(fields['customer_country_code']).data ?? null }
}

/** The options that can be read; the others count as left out. */
function readableOptions(fields: Record<string, unknown>, sent: readonly SentLine[]): SaleCreateInput {
  const { stock_items: _, ...shape } = SaleCreateInput.shape
  const said = Object.entries(shape).filter(([name, schema]) => schema.safeParse(fields[name]).success)
  const others = SaleCreateInput.omit({ stock_items: true })
  return {
    ...others.parse(Object.fromEntries(said.map(([name]) => [name, fields[name]]))),
    stock_items: sent.length > MAX_ITEMS ? [] : sent.flatMap(readableLine),
  }
}

type SentLine = { id?: unknown; sales_price?: unknown } | null

const sentLines = (stockItems: unknown): SentLine[] => (Array.isArray(stockItems) ? stockItems : [])

/**
 * If the price of a line cannot be read, the line gets a price of 0. Otherwise it would be reported as missing, too.
 */
function readableLine(line: SentLine): SaleCreateInput['stock_items'] {
  const { data: id } = Id.safeParse(line?.id)
  const price = OptionalPrice.optional().safeParse(line?.sales_price)
  return id === undefined ? [] : [{ id, sales_price: price.success ? price.data : 0 }]
}

type Issues = Parameters<typeof fieldErrors>[0]

function optionErrors(issues: Issues, sent: readonly SentLine[]): FieldErrors {
  const errors: FieldErrors = {}
  const prices: string[] = []
  for (const [field, message] of Object.entries(fieldErrors(issues))) {
    const [name, index, part] = field.split('.')
    const id = sent[Number(index)]?.id
    const called = id === undefined ? `Line ${Number(index) + 1}` : `Item #${String(id)}`
    const isTreatment = part === 'vat_treatment'
    const text = isTreatment ? `VAT treatment: ${message}` : message
    const item = index !== undefined && (sent.length > 1 || isTreatment) ? `${called}: ${text}` : text
    if (name === 'stock_items' && part === 'sales_price') prices.push(item)
    else if (name === 'stock_items') errors['stock_items'] ??= item
    else if (name === 'salesPrice') prices.push(message)
    else if (name === 'customer_id') errors['customer'] ??= 'Choose a customer from the list.'
    else errors[field] = message
  }
  if (prices.length) errors[PRICE_FIELD] = someSentences(prices)
  return errors
}

function addDuplicates(errors: FieldErrors, { stock_items }: SaleCreateInput): void {
  const seen = new Set<number>()
  for (const { id } of stock_items) {
    if (seen.has(id)) errors['stock_items'] ??= `Item #${id} is in the list twice.`
    seen.add(id)
  }
}
