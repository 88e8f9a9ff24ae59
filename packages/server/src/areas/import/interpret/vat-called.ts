import { formatRate, vatDisplayName } from '@backstock/contract/vat-rate.ts'
import type { Db } from '../../../db/connect.ts'

/**
 * The name of the VAT rate that a percent means: of the only one that is so high, unless one is called like it. All
 * other texts are names.
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
