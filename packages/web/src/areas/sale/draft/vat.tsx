import { isSellable } from '@backstock/contract/stock-status.ts'
import { TREATMENT_NAMES, type Treatment, treatmentAt } from '@backstock/contract/treatment.ts'
import { needsVatCheck, taxWarnings } from '@backstock/contract/treatment-of.ts'
import { vatCheckDoubt } from '@backstock/contract/vat-check-doubt.ts'
import { Alert, Box, List, NativeSelect, Text } from '@mantine/core'
import { createContext, useContext, useId } from 'react'
import { isAdmin, useMe } from '../../../api/session.ts'
import { TextLink } from '../../../ui/values/link.tsx'
import { VatCheckActs } from '../../vat-check/acts.tsx'
import classes from '../treatment.module.css'
import { TreatmentChip } from '../treatment-chip.tsx'
import type { DraftAction, DraftLine } from './lines.ts'
import {
  choicesForAll,
  choicesOf,
  chosenForAll,
  type DraftTax,
  type LineTax,
  lacksMarginRate,
  linesAllowing,
} from './tax.ts'

/**
 * The VAT of each line. It is a context so that a new price or customer draws only the VAT cells again, and not their
 * rows.
 */
export const LineTaxes = createContext<DraftTax['lines']>(new Map())

/** The VAT of a line. It is a select if the rules allow several treatments. */
export function VatCell({ line, change }: { line: DraftLine; change: (action: DraftAction) => void }) {
  const tax = useContext(LineTaxes).get(line.id)
  if (!tax || !isSellable(line.status)) return null
  const choose = (wanted: Treatment) => {
    const treatment = wanted === tax.byRules.treatment ? undefined : wanted
    change({ type: 'treatment', ids: new Set([line.id]), treatment })
  }
  return <VatChoice id={line.id} tax={tax} onChoose={choose} />
}

type ChoiceProps = { id: number; tax: LineTax; onChoose: (treatment: Treatment) => void }

/** The VAT of an item, with its reason. It is a select if there are several treatments to choose from. */
export function VatChoice({ id, tax, onChoose }: ChoiceProps) {
  const about = useId()
  const { taken, rate } = tax
  const { treatment, why, problem } = taken
  const choices = choicesOf(tax)
  if (choices.length === 1)
    return <TreatmentChip treatment={treatment} rate={taken.rate / 100} why={why} problem={problem} />
  const said = problem ? `Not possible: ${problem}.` : why
  return (
    <span className={classes['choosing']}>
      <select
        className={classes['choice']}
        aria-label={`VAT of #${id}`}
        aria-describedby={about}
        aria-invalid={problem !== undefined || undefined}
        data-bad={problem !== undefined || undefined}
        title={said}
        value={treatment}
        onChange={(event) => onChoose(event.currentTarget.value as Treatment)}
      >
        {choices.map((one) => (
          <option key={one} value={one}>
            {treatmentAt(one, rate / 100)}
          </option>
        ))}
      </select>
      <span id={about} className={classes['said']}>
        {said}
      </span>
    </span>
  )
}

type Props = { lines: readonly DraftLine[]; tax: DraftTax }

const DIFFERENT = 'different'

/** A select that chooses a treatment for all lines that allow it, and notes about the VAT of the sale. */
export function DraftVat({ lines, tax, change }: Props & { change: (action: DraftAction) => void }) {
  const choices = choicesForAll(tax)
  const chosen = chosenForAll(lines, tax)
  const decisions = [...tax.lines.values()].map(({ taken }) => taken)
  const warnings = taxWarnings(tax.sale, decisions, {
    checked: tax.checks?.checked,
    day: tax.facts?.day,
    lastDay: tax.facts?.reverse_charge_ends,
  })
  const choose = (wanted: string) => {
    const treatment = choices.find((one) => one === wanted)
    const ids = treatment ? linesAllowing(treatment, tax) : new Set(lines.map(({ id }) => id))
    change({ type: 'treatment', ids, treatment })
  }
  return (
    <>
      {(choices.length > 0 || chosen !== undefined) && (
        <NativeSelect
          label="VAT"
          description="For all items that allow it."
          maw={320}
          mb="sm"
          value={chosen === null ? DIFFERENT : (chosen ?? '')}
          data={[
            { value: '', label: 'By the rules' },
            ...[...new Set([...choices, ...(chosen ? [chosen] : [])])].map((value) => ({
              value,
              label: TREATMENT_NAMES[value],
            })),
            ...(chosen === null ? [{ value: DIFFERENT, label: 'Not the same for all', disabled: true }] : []),
          ]}
          onChange={(event) => choose(event.currentTarget.value)}
        />
      )}
      {warnings.length > 0 && (
        <Alert color="orange" mb="sm">
          {warnings.map((warning) => (
            <Text key={warning} size="sm">
              {warning}
            </Text>
          ))}
          {needsVatCheck(decisions) && <CheckHere tax={tax} />}
        </Alert>
      )}
    </>
  )
}

/** Checks the buyer's VAT number without leaving the sale. A new customer is stored only with the sale. */
function CheckHere({ tax: { checks, sale } }: { tax: DraftTax }) {
  const { vat_number } = sale.buyer
  if (!checks || vat_number === null || vatCheckDoubt(vat_number, checks.checked) === null) return null
  if (checks.of === null)
    return <Text size="sm">Once the sale is made, you can check the VAT number on the customer’s record.</Text>
  return (
    <Box mt="xs">
      <VatCheckActs customerId={checks.of} number={vat_number} mayAsk={checks.mayAsk} today={checks.checked.day} />
    </Box>
  )
}

const NAMED = 10

type TroubleProps = { title: string; refused: readonly string[]; tax: DraftTax }

/** Says why the server would refuse the VAT of the sale. Draws nothing if it would not. */
export function VatTrouble({ title, refused, tax }: TroubleProps) {
  const me = useMe()
  const lacksRate = lacksMarginRate(tax)
  if (refused.length === 0 && !lacksRate) return null
  return (
    <Alert color="red" mb="md" title={title}>
      {lacksRate && (
        <Text size="sm">
          Before you can sell under the margin scheme, an administrator must set its VAT rate on the{' '}
          {isAdmin(me) ? (
            <TextLink to="/admin/company" inherit c="inherit" underline="always">
              company page
            </TextLink>
          ) : (
            'company page'
          )}
          .
        </Text>
      )}
      {refused.length > 0 && (
        <List size="sm">
          {refused.slice(0, NAMED).map((text) => (
            <List.Item key={text}>{text}.</List.Item>
          ))}
          {refused.length > NAMED && <List.Item>{(refused.length - NAMED).toLocaleString('en')} more</List.Item>}
        </List>
      )}
    </Alert>
  )
}
