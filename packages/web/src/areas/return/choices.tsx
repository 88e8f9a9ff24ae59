import type { Hundredths } from '@backstock/contract/money.ts'
import {
  RETURN_CONDITION_NAMES,
  RETURN_CONDITIONS,
  RETURN_OUTCOME_NAMES,
  RETURN_OUTCOMES,
  RETURN_REASON_NAMES,
  RETURN_REASONS,
  type ReturnCondition,
  type ReturnOutcome,
  type ReturnReason,
} from '@backstock/contract/return-state.ts'
import { NativeSelect } from '@mantine/core'
import type { Column } from '../../ui/table/column.ts'
import { EditableMoney } from '../../ui/table/editable-cell.tsx'
import type { WrongPriceKeeper } from '../../ui/table/wrong-prices.ts'
import { Money } from '../../ui/values/money.tsx'
import classes from './return.module.css'

/**
 * A person's choices for an item that comes back. `price` is the credited amount in hundredths, with or without VAT as
 * the sale has it.
 */
export type Choice = { reason: ReturnReason; condition: ReturnCondition; outcome: ReturnOutcome; price: Hundredths }
export type Choices = ReadonlyMap<number, Partial<Choice>>
/**
 * A line of a return with its choices. `locked` is the reason why nothing can be chosen for the item; null if something
 * can be chosen or was chosen.
 */
export type ChoiceLine = Choice & {
  id: number
  sold_price: Hundredths
  prices_include_vat: boolean
  editable: boolean
  locked: string | null
}

const options = <Word extends string>(words: readonly Word[], names: Record<Word, string>) =>
  words.map((value) => ({ value, label: names[value] }))

const FIELDS = {
  reason: { title: 'Reason', data: options(RETURN_REASONS, RETURN_REASON_NAMES), names: RETURN_REASON_NAMES },
  condition: {
    title: 'Condition',
    data: options(RETURN_CONDITIONS, RETURN_CONDITION_NAMES),
    names: RETURN_CONDITION_NAMES,
  },
  outcome: {
    title: 'Outcome',
    data: options(RETURN_OUTCOMES, RETURN_OUTCOME_NAMES),
    names: RETURN_OUTCOME_NAMES,
  },
} as const
type Field = keyof typeof FIELDS
const FIELD_NAMES = Object.keys(FIELDS) as Field[]

/** One choice for an item. `value` is one of the values of `field`, since both come from the same list. */
const chosen = (field: Field, value: string) => ({ [field]: value }) as Partial<Choice>

/** The selects that make the same choice for all items. */
export function ForAll({ onChoose }: { onChoose: (choice: Partial<Choice>) => void }) {
  return (
    <>
      {FIELD_NAMES.map((field) => (
        <NativeSelect
          key={field}
          size="xs"
          className={classes['forAll'] ?? ''}
          label={`${FIELDS[field].title}, for all`}
          data={[{ value: '', label: 'As below' }, ...FIELDS[field].data]}
          value=""
          onChange={(event) => event.currentTarget.value && onChoose(chosen(field, event.currentTarget.value))}
        />
      ))}
    </>
  )
}

type OnChoose = (id: number, choice: Partial<Choice>) => void

const nameOf = (field: Field, row: Choice) => (FIELDS[field].names as Record<string, string>)[row[field]]
const widthOf = (field: Field) => `${classes['choice']} ${field === 'condition' ? '' : classes['long']}`

/** The columns for what was chosen, if nothing can be chosen any more. */
const chosenColumns = <Row extends ChoiceLine>(): Column<Row>[] =>
  FIELD_NAMES.map((field) => ({
    header: FIELDS[field].title,
    phone: 'field',
    phoneLabel: FIELDS[field].title,
    cell: (row) => row.locked === null && nameOf(field, row),
  }))

/** One column for all choices of a line. They are side by side, or one below the other if the table is too narrow. */
const choicesColumn = <Row extends ChoiceLine>(onChoose: OnChoose): Column<Row> => ({
  header: 'Reason, condition, outcome',
  head: (
    <span className={classes['heads']}>
      {FIELD_NAMES.map((field) => (
        <span key={field} className={widthOf(field)}>
          {FIELDS[field].title}
        </span>
      ))}
    </span>
  ),
  phone: 'field',
  cell: (row) =>
    row.locked === null && (
      <div className={classes['choices']}>
        {FIELD_NAMES.map((field) => (
          <span key={field} className={widthOf(field)}>
            <small className={classes['onPhone']}>{FIELDS[field].title} </small>
            {row.editable ? (
              <NativeSelect
                size="xs"
                aria-label={`${FIELDS[field].title} of #${row.id}`}
                data={FIELDS[field].data}
                value={row[field]}
                onChange={(event) => onChoose(row.id, chosen(field, event.currentTarget.value))}
              />
            ) : (
              nameOf(field, row)
            )}
          </span>
        ))}
      </div>
    ),
})

type Choosing = {
  /** Undefined if nothing can be chosen any more. */
  onChoose: OnChoose | undefined
  prices: WrongPriceKeeper
}

/**
 * The columns for reason, condition, outcome and credited amount. They are inputs in lines that may still be changed.
 */
export function choiceColumns<Row extends ChoiceLine>({ onChoose, prices }: Choosing): Column<Row>[] {
  return [
    ...(onChoose ? [choicesColumn<Row>(onChoose)] : chosenColumns<Row>()),
    {
      header: 'Credit',
      align: 'right',
      width: 120,
      phone: 'field',
      phoneLabel: 'Credit',
      cell: (row) =>
        row.locked === null && (
          <span className={classes['price']}>
            {onChoose && row.editable ? (
              <EditableMoney
                label={`Credit of #${row.id}`}
                value={row.price}
                onSave={async (price) => {
                  if (price > row.sold_price) throw new Error('More than it was sold for.')
                  onChoose(row.id, { price })
                }}
                wrongBefore={prices.of(row.id)}
                onWrong={(price) => prices.set(row.id, price)}
              />
            ) : (
              <Money amount={row.price} />
            )}
          </span>
        ),
    },
  ]
}

/** The field of a credited amount, for messages. */
export const CREDIT = 'The credit'

/** The choices with one more, for these items. */
export function withChoice(choices: Choices, ids: readonly number[], choice: Partial<Choice>): Choices {
  const next = new Map(choices)
  for (const id of ids) next.set(id, { ...next.get(id), ...choice })
  return next
}
