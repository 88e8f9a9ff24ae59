import type { Hundredths } from '@backstock/contract/money.ts'
import { first } from '../../lists.ts'
import type { InvoiceData, InvoiceLine } from './data.ts'

/** A printed line: one device, or several of one product, grade, price and treatment. */
export type Row = { position: number; line: InvoiceLine; devices: InvoiceLine[] }

export const netSum = ({ devices }: Pick<Row, 'devices'>): Hundredths => devices.reduce((sum, { net }) => sum + net, 0)
/** The net sum of the devices. Devices under the margin scheme are left out, because their price is not net. */
export const taxedSum = ({ devices }: Pick<Row, 'devices'>): Hundredths =>
  devices.reduce((sum, { net, treatment }) => (treatment === 'margin' ? sum : sum + net), 0)
export const priceSum = ({ devices }: Pick<Row, 'devices'>): Hundredths =>
  devices.reduce((sum, { price }) => sum + price, 0)

export function rowsOf({ lines, group_lines }: InvoiceData): Row[] {
  if (!group_lines) return lines.map((line) => ({ position: line.position, line, devices: [line] }))
  // The typed prices are compared, because the net amounts of equal gross prices may differ by a cent.
  const alike = Map.groupBy(lines, ({ description, grade, price, vat_rate, treatment, vat_name }) =>
    JSON.stringify([description, grade, price, vat_rate, treatment, vat_name]),
  )
  return [...alike.values()].map((devices, index) => ({ position: index + 1, line: first(devices), devices }))
}

const LONG = 20

/** The devices by model, if there are many lines and few models; else an empty list, and no summary is printed. */
export function modelsOf(lines: readonly InvoiceLine[], rows: number): { name: string; devices: InvoiceLine[] }[] {
  const models = Map.groupBy(lines, ({ description }) => description)
  if (lines.length <= LONG || models.size < 2 || models.size * 2 > rows) return []
  return Array.from(models, ([name, devices]) => ({ name, devices }))
}
