import { countryName } from '@backstock/contract/country.ts'
import {
  ReverseChargeRule,
  ReverseChargeRuleInput,
  ReverseChargeRuleQuery,
} from '@backstock/contract/reverse-charge-rule.ts'
import type { Db } from '../db/connect.ts'
import { page } from '../db/page.ts'
import { type Crud, fieldsOf, found } from '../http/crud.ts'
import { invalid } from '../http/refusal.ts'
import { edited } from '../records/edited.ts'

const rules = (db: Db) =>
  db
    .selectFrom('reverse_charge_rule')
    .select(['id', ...fieldsOf(ReverseChargeRuleInput), 'created_at', 'updated_at', 'updated_by'])

const onTheWire = <Row extends { country_code: string }>(row: Row) => ({
  ...row,
  country: countryName(row.country_code) ?? row.country_code,
})

function refuseBackwards({ valid_from, valid_to }: { valid_from: string; valid_to?: string | null | undefined }): void {
  if (valid_to && valid_to < valid_from) throw invalid({ valid_to: 'Must not be before the first day.' })
}

/**
 * The routes of the rules. Each sale stores the rule that it was made under, so a change or a deletion does not affect
 * it.
 */
export const reverseChargeRule: Crud<
  typeof ReverseChargeRuleQuery,
  typeof ReverseChargeRuleInput,
  typeof ReverseChargeRule
> = {
  area: 'reverse-charge-rule',
  title: 'Reverse charge rule',
  query: ReverseChargeRuleQuery,
  input: ReverseChargeRuleInput,
  row: ReverseChargeRule,
  record: ReverseChargeRule,
  unique: {
    reverse_charge_rule_start: {
      field: 'valid_from',
      message: 'There is already a rule for this country from this day on.',
    },
  },
  access: { write: 'admin' },
  async find(db, query) {
    const sort = {
      id: 'reverse_charge_rule.id',
      country_code: 'reverse_charge_rule.country_code',
      valid_from: 'reverse_charge_rule.valid_from',
      valid_to: 'reverse_charge_rule.valid_to',
    }
    const { rows, total } = await page(rules(db), query, { table: 'reverse_charge_rule', sort })
    return { rows: rows.map(onTheWire), total }
  },
  async one(db, id) {
    const row = await rules(db).where('id', '=', id).executeTakeFirst()
    return row && onTheWire(row)
  },
  create(tx, { updated_at: _, ...input }) {
    refuseBackwards(input)
    return tx.insertInto('reverse_charge_rule').values(input).returning('id').executeTakeFirstOrThrow()
  },
  async edit(tx, id, input, actor) {
    const { after, isChanged } = await edited(tx, ReverseChargeRuleInput, {
      name: `Reverse charge rule #${id}`,
      row: await rules(tx).where('id', '=', id).forNoKeyUpdate().executeTakeFirst(),
      sent: input,
    })
    refuseBackwards(after)
    if (!isChanged) return { id }
    await tx
      .updateTable('reverse_charge_rule')
      .set({ ...after, updated_by: actor.id })
      .where('id', '=', id)
      .execute()
    return { id }
  },
  async remove(tx, id) {
    found(await rules(tx).where('id', '=', id).forUpdate().executeTakeFirst(), `Reverse charge rule #${id}`)
    await tx.deleteFrom('reverse_charge_rule').where('id', '=', id).execute()
  },
}
