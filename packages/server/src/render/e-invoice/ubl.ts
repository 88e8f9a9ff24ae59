import {
  decimal,
  type EInvoice,
  type EInvoiceAddress,
  type EInvoiceParty,
  PIECE,
  percent,
  type Tax,
} from './e-invoice.ts'
import { box, element, identifier, type Xml, xmlDocument } from './xml.ts'

const namespaces = (root: string) => ({
  '': `urn:oasis:names:specification:ubl:schema:xsd:${root}-2`,
  cac: 'urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2',
  cbc: 'urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2',
})
const SCHEME = box('cac:TaxScheme', element('cbc:ID', 'VAT'))
/** The scheme of a number that is not a VAT number, but the tax office's (BT-32). */
const FISCAL_SCHEME = box('cac:TaxScheme', element('cbc:ID', 'FC'))

const address = (name: string, { street, street_2, postal_code, city, country_code }: EInvoiceAddress): Xml =>
  box(
    name,
    element('cbc:StreetName', street),
    element('cbc:AdditionalStreetName', street_2),
    element('cbc:CityName', city),
    element('cbc:PostalZone', postal_code),
    box('cac:Country', element('cbc:IdentificationCode', country_code)),
  )

const party = (name: string, { contact, ...who }: EInvoiceParty): Xml =>
  box(
    name,
    box(
      'cac:Party',
      identifier('cbc:EndpointID', who.electronic),
      address('cac:PostalAddress', who.address),
      who.vat_number ? box('cac:PartyTaxScheme', element('cbc:CompanyID', who.vat_number), SCHEME) : '',
      who.tax_number ? box('cac:PartyTaxScheme', element('cbc:CompanyID', who.tax_number), FISCAL_SCHEME) : '',
      box(
        'cac:PartyLegalEntity',
        element('cbc:RegistrationName', who.name),
        identifier('cbc:CompanyID', who.registration),
      ),
      box(
        'cac:Contact',
        element('cbc:Name', contact?.name),
        element('cbc:Telephone', contact?.phone),
        element('cbc:ElectronicMail', contact?.email),
      ),
    ),
  )

const property = (name: string, value: string | null): Xml =>
  value === null ? '' : box('cac:AdditionalItemProperty', element('cbc:Name', name), element('cbc:Value', value))

/**
 * The invoice or credit note in UBL 2.1. In UBL, a credit note is a document of another kind, with other element names.
 */
export function ubl(invoice: EInvoice): string {
  const { credits, account, net, vat, gross, paid, open, currency } = invoice
  const root = credits ? 'CreditNote' : 'Invoice'
  const amount = (name: string, value: number): Xml => element(name, decimal(value), { currencyID: currency })
  const category = (name: string, { category, rate, code, reason }: Tax): Xml =>
    box(
      name,
      element('cbc:ID', category),
      element('cbc:Percent', percent(rate)),
      element('cbc:TaxExemptionReasonCode', code),
      element('cbc:TaxExemptionReason', reason),
      SCHEME,
    )
  const line = ({ tax, ...item }: EInvoice['lines'][number], n: number): Xml =>
    box(
      `cac:${root}Line`,
      element('cbc:ID', n + 1),
      element(credits ? 'cbc:CreditedQuantity' : 'cbc:InvoicedQuantity', '1', { unitCode: PIECE }),
      amount('cbc:LineExtensionAmount', item.net),
      box(
        'cac:Item',
        element('cbc:Name', item.name),
        // The reason for an exemption may only be in the subtotal, not here (UBL-CR-601).
        category('cac:ClassifiedTaxCategory', { category: tax.category, rate: tax.rate }),
        property('IMEI', item.imei),
        property('Serial number', item.serial_number),
        property('Grade', item.grade),
      ),
      box('cac:Price', amount('cbc:PriceAmount', item.net)),
    )
  return xmlDocument(
    root,
    namespaces(root),
    element('cbc:CustomizationID', invoice.guideline),
    element('cbc:ProfileID', invoice.process),
    element('cbc:ID', invoice.number),
    element('cbc:IssueDate', invoice.issued_on),
    element('cbc:DueDate', invoice.due_on),
    element(`cbc:${root}TypeCode`, invoice.type),
    element('cbc:Note', invoice.note),
    element('cbc:DocumentCurrencyCode', currency),
    element('cbc:BuyerReference', invoice.reference),
    invoice.needsPeriod
      ? box('cac:InvoicePeriod', element('cbc:StartDate', invoice.issued_on), element('cbc:EndDate', invoice.issued_on))
      : '',
    box('cac:OrderReference', element('cbc:ID', invoice.order)),
    credits
      ? box(
          'cac:BillingReference',
          box(
            'cac:InvoiceDocumentReference',
            element('cbc:ID', credits.number),
            element('cbc:IssueDate', credits.issued_on),
          ),
        )
      : '',
    party('cac:AccountingSupplierParty', invoice.seller),
    party('cac:AccountingCustomerParty', invoice.buyer),
    box(
      'cac:Delivery',
      element('cbc:ActualDeliveryDate', invoice.supplied_on),
      box('cac:DeliveryLocation', address('cac:Address', invoice.deliver_to)),
    ),
    box(
      'cac:PaymentMeans',
      element('cbc:PaymentMeansCode', invoice.means),
      element('cbc:PaymentID', account && invoice.number),
      box(
        'cac:PayeeFinancialAccount',
        element('cbc:ID', account?.iban),
        box('cac:FinancialInstitutionBranch', element('cbc:ID', account?.bic)),
      ),
    ),
    box('cac:PaymentTerms', element('cbc:Note', invoice.terms)),
    box(
      'cac:TaxTotal',
      amount('cbc:TaxAmount', vat),
      ...invoice.taxes.map((tax) =>
        box(
          'cac:TaxSubtotal',
          amount('cbc:TaxableAmount', tax.net),
          amount('cbc:TaxAmount', tax.vat),
          category('cac:TaxCategory', tax),
        ),
      ),
    ),
    box(
      'cac:LegalMonetaryTotal',
      amount('cbc:LineExtensionAmount', net),
      amount('cbc:TaxExclusiveAmount', net),
      amount('cbc:TaxInclusiveAmount', gross),
      paid === 0 ? '' : amount('cbc:PrepaidAmount', paid),
      amount('cbc:PayableAmount', open),
    ),
    ...invoice.lines.map(line),
  )
}
