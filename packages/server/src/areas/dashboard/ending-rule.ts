import { countryName } from '@backstock/contract/country.ts'
import type { Dashboard } from '@backstock/contract/dashboard.ts'
import { RULE_WARNING_DAYS } from '@backstock/contract/treatment-of.ts'
import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'

/**
 * The reverse charge rule of the company's country that ends soon or has just ended, by the company's clock; null if
 * there is none, or if another rule follows. `ruleInForce` of the contract decides which rule holds for a sale.
 */
export async function endingRule(db: Db): Promise<Dashboard['ending_rule']> {
  const { rows } = await sql<{ country_code: string; last_day: string; days_left: number }>`
    with clock as (select country_code, (now() at time zone time_zone)::date as today from company),
      ending as (
        select country_code, valid_to, valid_to - today as days_left, greatest(valid_to + 1, today) as next
        from reverse_charge_rule join clock using (country_code)
        where abs(valid_to - today) <= ${RULE_WARNING_DAYS}::int)
    select country_code, valid_to as last_day, days_left from ending
    where not exists (
      select from reverse_charge_rule r
      where r.country_code = ending.country_code and valid_from <= next and (r.valid_to is null or next <= r.valid_to))
    order by last_day desc limit 1`.execute(db)
  const rule = rows[0]
  if (!rule) return null
  const { country_code, ...ends } = rule
  return { country: countryName(country_code) ?? country_code, ...ends }
}
