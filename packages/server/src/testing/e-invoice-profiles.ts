import type { EInvoiceProfile } from '@backstock/contract/e-invoice-profile.ts'
import { ADDRESS_KINDS, addressProblem } from '@backstock/contract/electronic-address.ts'
import type { Read } from './e-invoice-read.ts'

type Rule = [name: string, holds: boolean]

/**
 * The names of the rules that an XML breaks. The rules are those of XRechnung 3.0 or Peppol BIS Billing 3.0.19 that go
 * beyond EN 16931 and apply to our invoices. The national rules of Peppol are those for sellers in Germany and the
 * Netherlands.
 */
export const brokenProfileRules = (read: Read, profile: EInvoiceProfile): string[] =>
  [...both(read), ...(profile === 'xrechnung' ? xrechnung(read) : peppol(read))]
    .filter(([, holds]) => !holds)
    .map(([name]) => name)

const isAddress = ([kind = '', id = '']: Read['seller']['electronic']) =>
  kind in ADDRESS_KINDS && addressProblem(`${kind}:${id}`) === null

/** XRechnung has these rules of Peppol, too. */
const both = ({ process, seller, buyer, reference }: Read): Rule[] => [
  ['PEPPOL-EN16931-R001', process === 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0'],
  ['PEPPOL-EN16931-R003, BR-DE-15', Boolean(reference?.trim())],
  ['PEPPOL-EN16931-R010', isAddress(buyer.electronic)],
  ['PEPPOL-EN16931-R020', isAddress(seller.electronic)],
]

const xrechnung = (read: Read): Rule[] => [
  ['BR-DE-21', read.guideline === 'urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0'],
  ...german(read),
]

function german({ seller, buyer, means, deliver_to, terms }: Read): Rule[] {
  const { contact } = seller
  return [
    ['BR-DE-1', means.length === 1],
    ['BR-DE-2, BR-DE-5', Boolean(contact.name?.trim())],
    ['BR-DE-3, BR-DE-4', Boolean(seller.city && seller.postal_code)],
    ['BR-DE-6, BR-DE-27', (contact.phone?.match(/\d/g) ?? []).length >= 3],
    ['BR-DE-7, BR-DE-28', /^[^@\s]+@([^@.\s]+\.)+[^@.\s]+$/.test(contact.email ?? '')],
    ['BR-DE-8, BR-DE-9', Boolean(buyer.city && buyer.postal_code)],
    ['BR-DE-10, BR-DE-11', Boolean(deliver_to.city && deliver_to.postal_code)],
    ['BR-DE-16', Boolean(seller.vat_number || seller.tax_number)],
    ['BR-DE-18', discountsAreRead(terms ?? '')],
    ['BR-DE-23-a', means.every(({ code, iban }) => code !== '58' || Boolean(iban))],
  ]
}

/** Lines that begin with # are cash discounts in a fixed form. Terms with such lines must end with a line break. */
function discountsAreRead(terms: string): boolean {
  const lines = terms.split('\n')
  const discounts = lines.filter((line) => line.trim().startsWith('#'))
  const form = /^#SKONTO#TAGE=\d+#PROZENT=\d+\.\d\d(#BASISBETRAG=-?\d+\.\d\d)?#$/
  return discounts.every((line) => form.test(line)) && (discounts.length === 0 || lines.at(-1)?.trim() === '')
}

function peppol(read: Read): Rule[] {
  const { seller, buyer, means, sums, preceding, type, groups } = read
  const isWithin = (country: string) => seller.country === country && buyer.country === country
  const isDutchNumber = (party: Read['seller']) =>
    party.registration === undefined || ['0106', '0190'].includes(party.registered_as ?? '')
  const ownCategory: Record<string, string> = {
    'VATEX-EU-G': 'G',
    'VATEX-EU-IC': 'K',
    'VATEX-EU-AE': 'AE',
    'VATEX-EU-F': 'E',
  }
  return [
    [
      'PEPPOL-EN16931-R004',
      read.guideline === 'urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0',
    ],
    ['PEPPOL-EN16931-CL008', ![seller, buyer].some(({ electronic: [kind] }) => kind === 'EM')],
    [
      'PEPPOL-EN16931-P0104 to P0109',
      groups.every(({ code, category }) => !code || (ownCategory[code] ?? category) === category),
    ],
    ...(seller.country === 'NL'
      ? ([
          ['NL-R-001', type !== '381' || Boolean(preceding[0]?.number)],
          ['NL-R-002', Boolean(seller.street && seller.city && seller.postal_code)],
          ['NL-R-003', seller.registration !== undefined && isDutchNumber(seller)],
          ['NL-R-007', type === '381' || sums.payable <= 0 || means.length > 0],
        ] satisfies Rule[])
      : []),
    ...(isWithin('NL')
      ? ([
          ['NL-R-004', Boolean(buyer.street && buyer.city && buyer.postal_code)],
          ['NL-R-005', isDutchNumber(buyer)],
          ['NL-R-008', means.every(({ code }) => ['30', '48', '49', '57', '58', '59'].includes(code))],
        ] satisfies Rule[])
      : []),
    ...(isWithin('DE') ? german(read) : []),
  ]
}
