import { formatRate, vatDisplayName } from '@backstock/contract/vat-rate.ts'
import type { Db } from '../../../db/connect.ts'

/**
 * Makes a function for cells with a VAT rate. It turns a percentage into the name of the only VAT type with that rate,
 * unless a VAT type has the cell's text as its name. Any other text is a name.
 */
export async function vatCalled(db: Db): Promise<(cell: string) => string> {
  const rates = await db.selectFrom('vat').select(['name', 'rate']).execute()
  const names = new Set(rates.flatMap(({ name, rate }) => [name, vatDisplayName(name, rate)]))
  const byRate = Map.groupBy(rates, ({ rate }) => `${formatRate(rate)}%`)
  return (cell) => {
    const [only, ...others] = names.has(cell) ? [] : (byRate.get(cell) ?? [])
    return only && others.length === 0 ? only.name : cell
  }
}
