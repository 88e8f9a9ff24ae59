import type { Group, Read } from './e-invoice-read.ts'

const total = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0)
const isDay = (text: string | undefined) => /^\d{4}-\d\d-\d\d$/.test(text ?? '')

type Rule = [name: string, holds: boolean]

/**
 * The names of the business rules of EN 16931 that an XML breaks. Only rules that apply to our invoices are checked: we
 * have no allowances and charges in the standard's sense (BR-31 to BR-44, BR-CO-11, BR-CO-12), no payee and no
 * representative. The official rules allow a difference of 0.99 in the VAT of a group; here it is `slack`, in
 * hundredths.
 */
export function brokenRules(read: Read, slack: number): string[] {
  return [...head(read), ...sums(read), ...read.lines.flatMap(line), ...taxes(read, slack)]
    .filter(([, holds]) => !holds)
    .map(([name]) => name)
}

function head(read: Read): Rule[] {
  const { seller, buyer, type, means, preceding, period, deliver_to } = read
  const { paid, payable } = read.sums
  const needsTerms = payable > 0
  const isVatNumber = (text: string | undefined) => text === undefined || /^(EL|XI|[A-Z]{2})\w+$/.test(text)
  return [
    ['BR-01', read.guideline?.split('#')[0] === 'urn:cen.eu:en16931:2017'],
    ['BR-02', Boolean(read.number)],
    ['BR-03', isDay(read.issued_on)],
    ['BR-04', type === '380' || type === '381'],
    ['BR-05', read.currency === 'EUR'],
    ['BR-06', Boolean(seller.name?.trim())],
    ['BR-07', Boolean(buyer.name?.trim())],
    ['BR-08', Boolean(seller.city && seller.postal_code)],
    ['BR-09', /^[A-Z]{2}$/.test(seller.country ?? '')],
    ['BR-10', Boolean(buyer.city && buyer.postal_code)],
    ['BR-11', /^[A-Z]{2}$/.test(buyer.country ?? '')],
    ['BR-29', period.start === undefined || (isDay(period.start) && period.start <= (period.end ?? ''))],
    ['BR-49', means.every(({ code }) => Boolean(code))],
    ['BR-50, BR-61', means.every(({ code, iban }) => code !== '58' || Boolean(iban))],
    ['BR-55', preceding.every(({ number }) => Boolean(number))],
    ['a credit note names its invoice, an invoice none', (type === '381') === (preceding.length === 1)],
    ['BR-57', !deliver_to.city || /^[A-Z]{2}$/.test(deliver_to.country ?? '')],
    ['BR-CO-09', isVatNumber(seller.vat_number) && isVatNumber(buyer.vat_number)],
    ['BR-CO-25', !needsTerms || isDay(read.due_on) || Boolean(read.terms)],
    ['BR-CO-26', Boolean(seller.vat_number || seller.registration)],
    ['BR-DEC-09 to 28', read.amounts.length > 0 && read.amounts.every((amount) => isAmount(amount, read))],
    ['what is paid asks for no payment', payable > 0 || paid === undefined || !(read.due_on || means[0]?.iban)],
    ['a credit note is not to be paid', type !== '381' || !(read.due_on || read.remittance || means[0]?.iban)],
  ]
}

/** Whether an amount has the right form. Only the sum to pay may be below 0, after an overpayment. */
const isAmount = (amount: string, { sums: { payable } }: Read) =>
  /^\d+\.\d\d$/.test(amount) || (payable < 0 && amount === (payable / 100).toFixed(2))

function sums({ lines, groups, sums: { lines: ofLines, net, vat, gross, paid, payable } }: Read): Rule[] {
  return [
    ['BR-12', !Number.isNaN(ofLines)],
    ['BR-13', !Number.isNaN(net)],
    ['BR-14', !Number.isNaN(gross)],
    ['BR-15', !Number.isNaN(payable)],
    ['BR-16', lines.length > 0],
    ['BR-CO-10', total(lines.map((one) => one.net)) === ofLines],
    ['BR-CO-13', net === ofLines],
    ['BR-CO-14', total(groups.map((group) => group.vat)) === vat],
    ['BR-CO-15', gross === net + vat],
    ['BR-CO-16', payable === gross - (paid ?? 0)],
    ['BR-CO-18', groups.length > 0],
  ]
}

const line = (one: Read['lines'][number], n: number): Rule[] => [
  ['BR-21', one.id === String(n + 1)],
  ['BR-22', one.quantity === '1'],
  ['BR-23', one.unit === 'H87'],
  ['BR-24', !Number.isNaN(one.net)],
  ['BR-25', Boolean(one.name?.trim())],
  ['BR-26, BR-27', one.price >= 0 && one.price === one.net],
  ['BR-54', one.attributes.every(([name, value]) => Boolean(name) && Boolean(value))],
  ['BR-CO-04', Boolean(one.category)],
]

/** The letters of each category in the names of its rules. */
const NAMES: Record<string, string> = { S: 'S', Z: 'Z', E: 'E', AE: 'AE', K: 'IC', G: 'G' }

function taxes(read: Read, slack: number): Rule[] {
  const categories = [...new Set([...read.lines, ...read.groups].map(({ category }) => category ?? ''))]
  return [
    ...categories.flatMap((category): Rule[] => {
      const rule = `BR-${NAMES[category]}`
      const lines = read.lines.filter((one) => one.category === category)
      const groups = read.groups.filter((group) => group.category === category)
      return [
        ['a known category', NAMES[category] !== undefined],
        [`${rule}-01`, lines.length > 0 && (category === 'S' ? groups.length > 0 : groups.length === 1)],
        [
          `${rule}-02`,
          Boolean(read.seller.vat_number || (!['K', 'G'].includes(category) && read.seller.tax_number)) &&
            (!['AE', 'K'].includes(category) || Boolean(read.buyer.vat_number)),
        ],
        [`${rule}-05`, lines.every(({ rate }) => (category === 'S' ? rate > 0 : rate === 0))],
        ['one group for each category and rate', new Set(groups.map(({ rate }) => rate)).size === groups.length],
        ...groups.flatMap((group) => ofGroup(rule, group, read, slack)),
      ]
    }),
    ...(categories.includes('K') ? intraCommunity(read) : []),
  ]
}

function ofGroup(rule: string, { category, net, vat, rate, reason, code }: Group, read: Read, slack: number): Rule[] {
  const isReasoned = category !== 'S' && category !== 'Z'
  const same = read.lines.filter((one) => one.category === category && one.rate === rate)
  const isNear = Math.abs(vat - (net * rate) / 10_000) <= slack
  return [
    ['BR-45 to 48', [net, vat, rate].every((number) => !Number.isNaN(number)) && Boolean(category)],
    ['BR-CO-17', isNear],
    [`${rule}-08`, total(same.map((one) => one.net)) === net],
    [`${rule}-09`, category === 'S' ? isNear : vat === 0],
    [`${rule}-10`, isReasoned ? Boolean(reason || code) : !reason && !code],
  ]
}

const intraCommunity = ({ delivered_on, period, deliver_to }: Read): Rule[] => [
  ['BR-IC-11', isDay(delivered_on) || isDay(period.start)],
  ['BR-IC-12', Boolean(deliver_to.country)],
]
