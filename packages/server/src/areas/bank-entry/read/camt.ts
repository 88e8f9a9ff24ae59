import { SaxesParser } from 'saxes'
import {
  amountOf,
  BadBankFile,
  type BankLine,
  type BankLines,
  bankLine,
  refuseCurrency,
  refuseTooMany,
} from './bank-line.ts'

// Reads statements of ISO 20022 in the versions camt.053.001.02 to .08. The elements that are read have the same names
// in all of them; but newer versions put a party into a `Pty`, and a state into a `Cd`.

type Element = { name: string; text: string; currency: string | undefined; parts: Element[] }

/** The deepest nesting that is read. No schema of these messages goes half as deep. */
const MAX_DEPTH = 40
/** The most characters of text that are kept of one element. */
const MAX_TEXT = 1000
const DAMAGED = 'This XML file is damaged: it cannot be read to its end.'

/** The messages for other reports of ISO 20022, which banks offer beside statements. */
const OTHER_REPORTS: Record<string, string> = {
  BkToCstmrAcctRpt:
    'This is an intraday report (camt.052), whose entries may still change. Download the statement (camt.053).',
  BkToCstmrDbtCdtNtfctn:
    'This is a debit/credit notification (camt.054); its entries are also in the statement. Download that (camt.053).',
  CstmrCdtTrfInitn: 'This is an order to the bank (pain.001) and not a statement. Download the statement (camt.053).',
}
const STATEMENTS = 'BkToCstmrStmt'

/** Reads the entries of a CAMT.053 file, whose text comes in pieces. Throws `BadBankFile`. */
export function readCamt(pieces: Iterable<string>): BankLines {
  const parser = new SaxesParser<{ position: false; xmlns: false }>({ position: false, xmlns: false })
  const open: Element[] = []
  const lines: BankLine[] = []
  let not_booked = 0
  let isStatement = false
  let account: Element | undefined
  parser.on('doctype', () => {
    throw new BadBankFile(
      'This XML file declares a document type or entities of its own. Banks do not write such files.',
    )
  })
  parser.on('error', () => {
    throw new BadBankFile(DAMAGED)
  })
  parser.on('opentag', ({ name, attributes }) => {
    if (open.length >= MAX_DEPTH) throw new BadBankFile(DAMAGED)
    const element = { name: localName(name), text: '', currency: attributes['Ccy'], parts: [] }
    if (open.length === 0 && element.name !== 'Document') throw new BadBankFile(NO_STATEMENT)
    if (open.length === 1) {
      if (element.name !== STATEMENTS) throw new BadBankFile(OTHER_REPORTS[element.name] ?? NO_STATEMENT)
      isStatement = true
    }
    open.push(element)
  })
  const add = (text: string) => {
    const element = open.at(-1)
    if (element && element.text.length < MAX_TEXT) element.text += text.slice(0, MAX_TEXT)
  }
  parser.on('text', add)
  parser.on('cdata', add)
  parser.on('closetag', () => {
    const element = open.pop()
    if (!element) return
    const within = open.at(-1)
    if (within?.name === 'Stmt' && element.name === 'Acct') account = element
    else if (within?.name === 'Stmt' && element.name === 'Ntry') {
      if (isBooked(element)) lines.push(...linesOf(element, account))
      else not_booked++
      refuseTooMany(lines.length + not_booked)
    } else if (element.name === 'Stmt') account = undefined
    // Only elements inside of entries and accounts are kept. Balances and headers are skipped.
    else if (open.some(({ name }) => name === 'Ntry' || name === 'Acct')) within?.parts.push(element)
  })
  let isStarted = false
  for (const piece of pieces) {
    parser.write(isStarted ? piece : piece.trimStart())
    isStarted = true
  }
  parser.close()
  if (!isStatement) throw new BadBankFile(NO_STATEMENT)
  return { lines, not_booked }
}

const NO_STATEMENT = 'This XML file is not a bank statement. Download the one that your bank calls CAMT.053.'

const localName = (name: string) => name.slice(name.indexOf(':') + 1)

/** All elements at a path below an element. */
function all(element: Element | undefined, ...path: string[]): Element[] {
  let found = element ? [element] : []
  for (const name of path) found = found.flatMap(({ parts }) => parts.filter((part) => part.name === name))
  return found
}

/** The text of the first element that has any, at one of these paths. */
function textAt(element: Element | undefined, ...paths: string[]): string | undefined {
  for (const path of paths) {
    const text = all(element, ...path.split('/'))
      .map((one) => one.text.trim())
      .find(Boolean)
    if (text) return text
  }
  return undefined
}

/** Whether the bank has booked an entry. An entry without a state is booked: versions from before 2009 had no state. */
const isBooked = (entry: Element) => (textAt(entry, 'Sts/Cd', 'Sts') ?? 'BOOK') === 'BOOK'

/** The lines of an entry: one for each of its transactions if each has an amount, else one for the whole entry. */
function linesOf(entry: Element, account: Element | undefined): BankLine[] {
  const number = textAt(account, 'Id/IBAN', 'Id/Othr/Id')
  const [amount] = all(entry, 'Amt')
  refuseCurrency(amount?.currency ?? textAt(account, 'Ccy') ?? '', number)
  const whole = amountOf(amount?.text ?? '')
  const direction = directionOf(entry)
  const sum = whole === undefined || direction === undefined ? undefined : whole * direction
  const transactions = all(entry, 'NtryDtls', 'TxDtls')
  const parts = transactions.map((transaction) => partOf(transaction, direction))
  const isSplit =
    transactions.length > 1 && parts.reduce<number>((total, part) => total + (part ?? Number.NaN), 0) === sum
  const common = {
    account: number,
    booked_on: textAt(entry, 'BookgDt/Dt', 'BookgDt/DtTm', 'ValDt/Dt', 'ValDt/DtTm')?.slice(0, 10),
    is_reversal: isReversal(entry),
  }
  const bank_reference = textAt(entry, 'AcctSvcrRef') ?? textAt(transactions[0], 'Refs/AcctSvcrRef')
  if (sum === 0) return []
  if (!isSplit)
    return [bankLine({ ...common, amount: sum, bank_reference, ...detailsOf(entry, transactions, sum ?? 0) })]
  return transactions.flatMap((transaction, n) => {
    const part = parts[n] ?? 0
    const reference = textAt(transaction, 'Refs/AcctSvcrRef', 'Refs/TxId') ?? bank_reference
    const details = detailsOf(entry, [transaction], part)
    return part === 0 ? [] : [bankLine({ ...common, amount: part, bank_reference: reference, ...details })]
  })
}

const directionOf = (element: Element): 1 | -1 | undefined =>
  ({ CRDT: 1 as const, DBIT: -1 as const })[textAt(element, 'CdtDbtInd') ?? '']

/** The amount of a transaction within its entry, in the account's currency; undefined if it has none. */
function partOf(transaction: Element, direction: 1 | -1 | undefined): number | undefined {
  const [amount] = [...all(transaction, 'Amt'), ...all(transaction, 'AmtDtls', 'TxAmt', 'Amt')]
  const part = amount?.currency === 'EUR' ? amountOf(amount.text) : undefined
  const sign = directionOf(transaction) ?? direction
  return part === undefined || sign === undefined ? undefined : part * sign
}

const isReversal = (entry: Element) => /^(?:true|1)$/.test(textAt(entry, 'RvslInd') ?? '')

/** The other party of an entry, and its text. A reversal names the parties of the entry that it takes back. */
function detailsOf(entry: Element, transactions: readonly Element[], amount: number) {
  const [first] = transactions
  const side = amount > 0 !== isReversal(entry) ? 'Dbtr' : 'Cdtr'
  const names = [side, `Ultmt${side}`].flatMap((party) => [`RltdPties/${party}/Nm`, `RltdPties/${party}/Pty/Nm`])
  const remittance = transactions.flatMap((transaction) => [
    ...all(transaction, 'RmtInf', 'Ustrd'),
    ...all(transaction, 'RmtInf', 'Strd', 'CdtrRefInf', 'Ref'),
    ...all(transaction, 'RmtInf', 'Strd', 'RfrdDocInf', 'Nb'),
    ...all(transaction, 'RmtInf', 'Strd', 'AddtlRmtInf'),
  ])
  const further = [
    ...transactions.flatMap((transaction) => all(transaction, 'AddtlTxInf')),
    ...all(entry, 'AddtlNtryInf'),
  ]
  const only = transactions.length === 1 ? first : undefined
  return {
    name: textAt(only, ...names),
    iban: textAt(only, `RltdPties/${side}Acct/Id/IBAN`),
    end_to_end: textAt(only, 'Refs/EndToEndId'),
    remittance: (remittance.length > 0 ? remittance : further).map(({ text }) => text.trim()).join(' '),
  }
}
