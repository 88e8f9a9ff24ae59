import type { Hundredths } from './money.ts'
import type { Treatment } from './treatment.ts'
import { chosen, type Decision, type ItemTax, type SaleTax, treatmentsOf } from './treatment-of.ts'
import type { RateHundredths } from './vat-rate.ts'

/** A line of a sale that a person corrects: the facts of its item on the day of the sale, and its new price. */
export type SoldTax = ItemTax & {
  price: Hundredths
  /** The treatment of the line before the correction, with its rate and the reason. */
  sold: { treatment: Treatment; rate: RateHundredths; why: string }
  /** The treatment that a person wants now; undefined leaves the line's treatment as it is. */
  wanted: Treatment | undefined
  /** The facts of the item now, if somebody has changed how it was bought since the sale. */
  now?: ItemTax | undefined
}

/**
 * `taken` is the decision for the line, `usual` the one that the rules give without a person's wish. `isKept` means
 * that the line keeps the treatment with which it was sold.
 */
export type CorrectedTax = { taken: Decision; usual: Decision; isKept: boolean }

/**
 * The VAT of a sale's lines after a correction. A line keeps the decision of the day of the sale: rate, scheme and a
 * person's choice. `was` has the facts of that day, `now` those of today. The rules decide a line anew in three cases:
 * they give another result for today's buyer; they give another result because somebody has changed the item's purchase
 * since; they no longer allow the person's choice. `others` are further lines that count towards the sums of a rule's
 * threshold.
 */
export function correctedTaxes(
  lines: readonly SoldTax[],
  others: readonly (ItemTax & { price: Hundredths })[],
  { was, now }: { was: SaleTax; now: SaleTax },
  pricesIncludeVat: boolean,
): CorrectedTax[] {
  const all = [...lines, ...others]
  const then = treatmentsOf(all, was, pricesIncludeVat)
  const today = treatmentsOf([...lines.map((line) => ({ ...line, ...line.now })), ...others], now, pricesIncludeVat)
  return lines.map((line, n) => {
    const [byRules, before] = [today[n]!, then[n]!]
    const { sold, wanted } = line
    const isForced =
      byRules.treatment !== before.treatment ||
      (byRules.problem !== undefined && before.problem === undefined) ||
      (allows(before, sold.treatment) && !allows(byRules, sold.treatment))
    const also = allowed(byRules).filter((one) => one !== sold.treatment)
    const kept: Decision = { ...sold, also }
    const usual = isForced ? byRules : kept
    if (wanted === undefined || wanted === usual.treatment) return { taken: usual, usual, isKept: !isForced }
    if (wanted === sold.treatment && allows(byRules, wanted)) return { taken: kept, usual, isKept: true }
    return { taken: chosen(byRules, { ...line, ...line.now }, wanted), usual, isKept: false }
  })
}

const allowed = ({ treatment, also }: Decision): Treatment[] => [treatment, ...also]
const allows = (decision: Decision, treatment: Treatment) => allowed(decision).includes(treatment)
