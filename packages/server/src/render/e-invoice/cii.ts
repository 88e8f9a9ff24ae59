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

const NAMESPACES = {
  rsm: 'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100',
  ram: 'urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100',
  udt: 'urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100',
  qdt: 'urn:un:unece:uncefact:data:standard:QualifiedDataType:100',
}

const day = (name: string, date: string | null, type = 'udt'): Xml =>
  date === null ? '' : box(name, element(`${type}:DateTimeString`, date.replaceAll('-', ''), { format: '102' }))

const address = ({ street, street_2, postal_code, city, country_code }: EInvoiceAddress): Xml =>
  box(
    'ram:PostalTradeAddress',
    element('ram:PostcodeCode', postal_code),
    element('ram:LineOne', street),
    element('ram:LineTwo', street_2),
    element('ram:CityName', city),
    element('ram:CountryID', country_code),
  )

function party(name: string, { contact, ...who }: EInvoiceParty): Xml {
  return box(
    name,
    element('ram:Name', who.name),
    box('ram:SpecifiedLegalOrganization', identifier('ram:ID', who.registration)),
    box(
      'ram:DefinedTradeContact',
      element('ram:PersonName', contact?.name),
      box('ram:TelephoneUniversalCommunication', element('ram:CompleteNumber', contact?.phone)),
      box('ram:EmailURIUniversalCommunication', element('ram:URIID', contact?.email)),
    ),
    address(who.address),
    box('ram:URIUniversalCommunication', identifier('ram:URIID', who.electronic)),
    box('ram:SpecifiedTaxRegistration', element('ram:ID', who.vat_number, { schemeID: 'VA' })),
    box('ram:SpecifiedTaxRegistration', element('ram:ID', who.tax_number, { schemeID: 'FC' })),
  )
}

const lineTax = ({ category, rate }: Tax): Xml =>
  box(
    'ram:ApplicableTradeTax',
    element('ram:TypeCode', 'VAT'),
    element('ram:CategoryCode', category),
    element('ram:RateApplicablePercent', percent(rate)),
  )

const characteristic = (name: string, value: string | null): Xml =>
  value === null
    ? ''
    : box('ram:ApplicableProductCharacteristic', element('ram:Description', name), element('ram:Value', value))

const line = ({ name, imei, serial_number, grade, net, tax }: EInvoice['lines'][number], n: number): Xml =>
  box(
    'ram:IncludedSupplyChainTradeLineItem',
    box('ram:AssociatedDocumentLineDocument', element('ram:LineID', n + 1)),
    box(
      'ram:SpecifiedTradeProduct',
      element('ram:Name', name),
      characteristic('IMEI', imei),
      characteristic('Serial number', serial_number),
      characteristic('Grade', grade),
    ),
    box(
      'ram:SpecifiedLineTradeAgreement',
      box('ram:NetPriceProductTradePrice', element('ram:ChargeAmount', decimal(net))),
    ),
    box('ram:SpecifiedLineTradeDelivery', element('ram:BilledQuantity', '1', { unitCode: PIECE })),
    box(
      'ram:SpecifiedLineTradeSettlement',
      lineTax(tax),
      box('ram:SpecifiedTradeSettlementLineMonetarySummation', element('ram:LineTotalAmount', decimal(net))),
    ),
  )

const subtotal = ({ category, code, reason, rate, net, vat }: EInvoice['taxes'][number]): Xml =>
  box(
    'ram:ApplicableTradeTax',
    element('ram:CalculatedAmount', decimal(vat)),
    element('ram:TypeCode', 'VAT'),
    element('ram:ExemptionReason', reason),
    element('ram:BasisAmount', decimal(net)),
    element('ram:CategoryCode', category),
    element('ram:ExemptionReasonCode', code),
    element('ram:RateApplicablePercent', percent(rate)),
  )

const payment = ({ account, means }: EInvoice): Xml =>
  box(
    'ram:SpecifiedTradeSettlementPaymentMeans',
    element('ram:TypeCode', means),
    box('ram:PayeePartyCreditorFinancialAccount', element('ram:IBANID', account?.iban)),
    box('ram:PayeeSpecifiedCreditorFinancialInstitution', element('ram:BICID', account?.bic)),
  )

function settlement(invoice: EInvoice): Xml {
  const { credits, net, vat, gross, paid, open, currency } = invoice
  return box(
    'ram:ApplicableHeaderTradeSettlement',
    element('ram:PaymentReference', invoice.asksNothing ? null : invoice.number),
    element('ram:InvoiceCurrencyCode', currency),
    payment(invoice),
    ...invoice.taxes.map(subtotal),
    invoice.needsPeriod
      ? box(
          'ram:BillingSpecifiedPeriod',
          day('ram:StartDateTime', invoice.issued_on),
          day('ram:EndDateTime', invoice.issued_on),
        )
      : '',
    box(
      'ram:SpecifiedTradePaymentTerms',
      element('ram:Description', invoice.terms),
      day('ram:DueDateDateTime', invoice.due_on),
    ),
    box(
      'ram:SpecifiedTradeSettlementHeaderMonetarySummation',
      element('ram:LineTotalAmount', decimal(net)),
      element('ram:TaxBasisTotalAmount', decimal(net)),
      element('ram:TaxTotalAmount', decimal(vat), { currencyID: currency }),
      element('ram:GrandTotalAmount', decimal(gross)),
      element('ram:TotalPrepaidAmount', paid === 0 ? null : decimal(paid)),
      element('ram:DuePayableAmount', decimal(open)),
    ),
    credits
      ? box(
          'ram:InvoiceReferencedDocument',
          element('ram:IssuerAssignedID', credits.number),
          day('ram:FormattedIssueDateTime', credits.issued_on, 'qdt'),
        )
      : '',
  )
}

/**
 * The invoice or credit note in Cross Industry Invoice D16B with the profile EN 16931, which Factur-X and ZUGFeRD put
 * into a PDF.
 */
export function cii(invoice: EInvoice): string {
  return xmlDocument(
    'rsm:CrossIndustryInvoice',
    NAMESPACES,
    box(
      'rsm:ExchangedDocumentContext',
      box('ram:BusinessProcessSpecifiedDocumentContextParameter', element('ram:ID', invoice.process)),
      box('ram:GuidelineSpecifiedDocumentContextParameter', element('ram:ID', invoice.guideline)),
    ),
    box(
      'rsm:ExchangedDocument',
      element('ram:ID', invoice.number),
      element('ram:TypeCode', invoice.type),
      day('ram:IssueDateTime', invoice.issued_on),
      box('ram:IncludedNote', element('ram:Content', invoice.note)),
    ),
    box(
      'rsm:SupplyChainTradeTransaction',
      ...invoice.lines.map(line),
      box(
        'ram:ApplicableHeaderTradeAgreement',
        element('ram:BuyerReference', invoice.reference),
        party('ram:SellerTradeParty', invoice.seller),
        party('ram:BuyerTradeParty', invoice.buyer),
        box('ram:BuyerOrderReferencedDocument', element('ram:IssuerAssignedID', invoice.order)),
      ),
      box(
        'ram:ApplicableHeaderTradeDelivery',
        box('ram:ShipToTradeParty', address(invoice.deliver_to)),
        box('ram:ActualDeliverySupplyChainEvent', day('ram:OccurrenceDateTime', invoice.supplied_on)),
      ),
      settlement(invoice),
    ),
  )
}
