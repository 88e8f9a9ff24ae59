import type { FieldErrors } from '@backstock/contract/answer.ts'
import { NewCustomer, SaleCreateInput } from '@backstock/contract/sale.ts'
import { fieldErrors } from '../../http/errors.ts'
import { invalid } from '../../http/refusal.ts'

/** A sale as a person asked for it: the options and the buyer, an id or a new customer. */
export type NewSale = { options: SaleCreateInput; customer: number | NewCustomer }

/** The field under which every price of a line reports. */
export const PRICE_FIELD = 'sale_price[]'

const isFilled = (value: unknown) => value !== undefined && value !== null && String(value).trim() !== ''

/**
 * Reads the body of `sale/create`. Everything that is wrong with it comes at once, a 422 under exactly the names
 * `customer`, `customer_first_name` and so on, `stock_items` and `sale_price[]`.
 */
export function readNewSale(body: unknown): NewSale {
  const fields = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
  const errors: FieldErrors = {}
  const options = SaleCreateInput.safeParse(fields)
  if (options.error) Object.assign(errors, optionErrors(options.error.issues, itemIds(fields['stock_items'])))
  if (options.data) addDuplicates(errors, options.data)
  const customer = readCustomer(fields, errors)
  if (Object.keys(errors).length > 0 || !options.data || customer === undefined) throw invalid(errors)
  return { options: options.data, customer }
}

function readCustomer(fields: Record<string, unknown>, errors: FieldErrors): number | NewCustomer | undefined {
  if (errors['customer']) return undefined
  const chosen = SaleCreateInput.shape.customer_id.safeParse(fields['customer_id']).data
  if (chosen) return chosen
  const typed = Object.keys(NewCustomer.shape).some((name) => isFilled(fields[name]))
  if (!typed) {
    errors['customer'] = 'Choose a customer or enter a new one.'
    return undefined
  }
  const parsed = NewCustomer.safeParse(fields)
  if (parsed.error) Object.assign(errors, fieldErrors(parsed.error.issues))
  return parsed.data
}

type Issues = Parameters<typeof fieldErrors>[0]

function optionErrors(issues: Issues, ids: unknown[]): FieldErrors {
  const errors: FieldErrors = {}
  for (const [field, message] of Object.entries(fieldErrors(issues))) {
    const [name, index, part] = field.split('.')
    const item = ids.length > 1 && index !== undefined ? `Item #${String(ids[Number(index)])}: ${message}` : message
    if (name === 'stock_items') errors[part === 'sales_price' ? PRICE_FIELD : 'stock_items'] ??= item
    else if (name === 'salesPrice') errors[PRICE_FIELD] ??= message
    else if (name === 'customer_id') errors['customer'] ??= 'Choose a customer of the list.'
    else errors[field] = message
  }
  return errors
}

function itemIds(stockItems: unknown): unknown[] {
  if (!Array.isArray(stockItems)) return []
  return stockItems.map((line: { id?: unknown } | null) => line?.id ?? '?')
}

function addDuplicates(errors: FieldErrors, { stock_items }: SaleCreateInput): void {
  const seen = new Set<number>()
  for (const { id } of stock_items) {
    if (seen.has(id)) errors['stock_items'] ??= `Item #${id} is in the list twice.`
    seen.add(id)
  }
}
