/** An entry for a bank's file that a test makes. `amount` is in hundredths, below 0 if money went out. */
export type WrittenEntry = {
  amount: number
  day: string
  text?: string
  name?: string
  iban?: string
  end_to_end?: string
  reference?: string
  isReversal?: boolean
  state?: string
  currency?: string
}
type Statement = {
  account?: string
  currency?: string
  version?: '02' | '04' | '08'
  dialect?: 'german' | 'dutch' | 'plain'
}

export const ACCOUNT = 'NL91ABNA0417164300'
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const units = (amount: number, sign = '.') =>
  `${Math.floor(Math.abs(amount) / 100)}${sign}${String(Math.abs(amount) % 100).padStart(2, '0')}`
const when = (text: string | undefined, xml: (text: string) => string) => (text === undefined ? '' : xml(escaped(text)))

/** A CAMT.053 file in the form of ISO 20022's public descriptions. */
export function camt053(entries: readonly WrittenEntry[], statement: Statement = {}): string {
  const { account = ACCOUNT, currency = 'EUR', version = '02' } = statement
  const party = (name: string) => (version === '08' ? `<Pty><Nm>${name}</Nm></Pty>` : `<Nm>${name}</Nm>`)
  const written = entries.map((entry) => {
    const { amount, day, state = 'BOOK' } = entry
    const indicator = amount > 0 ? 'CRDT' : 'DBIT'
    const side = amount > 0 !== (entry.isReversal ?? false) ? 'Dbtr' : 'Cdtr'
    return `<Ntry><Amt Ccy="${entry.currency ?? currency}">${units(amount)}</Amt><CdtDbtInd>${indicator}</CdtDbtInd>
      ${entry.isReversal ? '<RvslInd>true</RvslInd>' : ''}
      <Sts>${version === '08' ? `<Cd>${state}</Cd>` : state}</Sts><BookgDt><Dt>${day}</Dt></BookgDt><ValDt><Dt>${day}</Dt></ValDt>
      ${when(entry.reference, (text) => `<AcctSvcrRef>${text}</AcctSvcrRef>`)}<BkTxCd/>
      <NtryDtls><TxDtls><Refs>${when(entry.end_to_end, (text) => `<EndToEndId>${text}</EndToEndId>`)}</Refs>
      <RltdPties>${when(entry.name, (text) => `<${side}>${party(text)}</${side}>`)}
      ${when(entry.iban, (text) => `<${side}Acct><Id><IBAN>${text}</IBAN></Id></${side}Acct>`)}</RltdPties>
      ${when(entry.text, (text) => `<RmtInf><Ustrd>${text}</Ustrd></RmtInf>`)}</TxDtls></NtryDtls></Ntry>`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.${version}"><BkToCstmrStmt><GrpHdr><MsgId>1</MsgId></GrpHdr>
<Stmt><Id>1</Id><Acct><Id><IBAN>${account}</IBAN></Id><Ccy>${currency}</Ccy></Acct>
<Bal><Amt Ccy="${currency}">1.00</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>
${written.join('\n')}</Stmt></BkToCstmrStmt></Document>`
}

const pieces = (text: string, length: number) => text.match(new RegExp(`.{1,${length}}`, 'gs')) ?? []

/** An MT940 file. Field 86 has the form that banks of a country use. */
export function mt940(entries: readonly WrittenEntry[], statement: Statement = {}): string {
  const { account = ACCOUNT, currency = 'EUR', dialect = 'german' } = statement
  const fields = entries.flatMap((entry) => {
    const { amount, day, reference, end_to_end, isReversal } = entry
    const date = day.slice(2).replaceAll('-', '')
    const mark = isReversal ? (amount > 0 ? 'RD' : 'RC') : amount > 0 ? 'C' : 'D'
    const own = dialect === 'plain' ? (end_to_end ?? 'NONREF') : 'NONREF'
    return [
      `:61:${date}${date.slice(2)}${mark}${units(amount, ',')}NTRF${own}${reference ? `//${reference}` : ''}`,
      `:86:${details(entry, dialect)}`,
    ]
  })
  return [
    ':20:STARTUMS',
    `:25:${account}`,
    ':28C:00001/001',
    `:60F:C251031${currency}1,00`,
    ...fields,
    `:62F:C251130${currency}1,00`,
    '-',
  ].join('\r\n')
}

function details({ text = '', name, iban, end_to_end }: WrittenEntry, dialect: Statement['dialect']): string {
  if (dialect === 'plain') return pieces([text, iban].filter(Boolean).join(' '), 65).join('\r\n')
  if (dialect === 'dutch') {
    const parts = [
      '/TRTP/SEPA OVERBOEKING',
      ...(iban ? [`/IBAN/${iban}/BIC/ABNANL2A`] : []),
      ...(name ? [`/NAME/${name}`] : []),
      `/REMI/${text}`,
      ...(end_to_end ? [`/EREF/${end_to_end}`] : []),
    ]
    return pieces(parts.join(''), 65).join('\r\n')
  }
  const remittance = pieces(`${end_to_end ? `EREF+${end_to_end} ` : ''}SVWZ+${text}`, 27)
  const numbered = [
    '166?00GUTSCHRIFT?109310',
    ...remittance.map((part, n) => `?${n < 10 ? 20 + n : 50 + n}${part}`),
    ...(iban ? [`?30DEUTDEFF?31${iban}`] : []),
    ...(name ? pieces(name, 27).map((part, n) => `?${32 + n}${part}`) : []),
  ]
  return pieces(numbered.join(''), 65).join('\r\n')
}
