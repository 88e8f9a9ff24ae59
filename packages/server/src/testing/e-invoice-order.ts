import { XmlDocument, XmlElement } from 'xmldoc'

const AGGREGATE = ['AccountingSupplierParty', 'AccountingCustomerParty', 'Delivery', 'PaymentMeans', 'PaymentTerms']
const ubl = (head: string, line: string) => [
  ...head.split(' ').map((name) => `cbc:${name}`),
  ...['InvoicePeriod', 'OrderReference', 'BillingReference', ...AGGREGATE, 'TaxTotal', 'LegalMonetaryTotal', line].map(
    (name) => `cac:${name}`,
  ),
]
const HEAD = 'Note DocumentCurrencyCode BuyerReference'
const category = 'cbc:ID cbc:Percent cbc:TaxExemptionReasonCode cbc:TaxExemptionReason cac:TaxScheme'.split(' ')
const ublAddress = 'cbc:StreetName cbc:AdditionalStreetName cbc:CityName cbc:PostalZone cac:Country'.split(' ')
const ram = (names: string) => names.split(' ').map((name) => `ram:${name}`)
const tradeParty = ram(
  'Name SpecifiedLegalOrganization DefinedTradeContact PostalTradeAddress URIUniversalCommunication SpecifiedTaxRegistration',
)

/** The order that the schemas of UBL 2.1 and CII D16B demand within an element, for the elements that we write. */
const ORDER: Record<string, string[]> = {
  Invoice: ubl(`CustomizationID ProfileID ID IssueDate DueDate InvoiceTypeCode ${HEAD}`, 'InvoiceLine'),
  CreditNote: ubl(`CustomizationID ProfileID ID IssueDate CreditNoteTypeCode ${HEAD}`, 'CreditNoteLine'),
  'cac:Party': ['cbc:EndpointID', 'cac:PostalAddress', 'cac:PartyTaxScheme', 'cac:PartyLegalEntity', 'cac:Contact'],
  'cac:PostalAddress': ublAddress,
  'cac:Address': ublAddress,
  'cac:PartyLegalEntity': ['cbc:RegistrationName', 'cbc:CompanyID'],
  'cac:PaymentMeans': ['cbc:PaymentMeansCode', 'cbc:PaymentID', 'cac:PayeeFinancialAccount'],
  'cac:TaxCategory': category,
  'cac:ClassifiedTaxCategory': category,
  'cac:InvoiceLine': ['cbc:ID', 'cbc:InvoicedQuantity', 'cbc:LineExtensionAmount', 'cac:Item', 'cac:Price'],
  'cac:CreditNoteLine': ['cbc:ID', 'cbc:CreditedQuantity', 'cbc:LineExtensionAmount', 'cac:Item', 'cac:Price'],
  'cac:Item': ['cbc:Name', 'cac:ClassifiedTaxCategory', 'cac:AdditionalItemProperty'],
  'rsm:ExchangedDocumentContext': ram(
    'BusinessProcessSpecifiedDocumentContextParameter GuidelineSpecifiedDocumentContextParameter',
  ),
  'ram:DefinedTradeContact': ram('PersonName TelephoneUniversalCommunication EmailURIUniversalCommunication'),
  'cac:Contact': ['cbc:Name', 'cbc:Telephone', 'cbc:ElectronicMail'],
  'rsm:ExchangedDocument': ram('ID TypeCode IssueDateTime IncludedNote'),
  'ram:ApplicableHeaderTradeAgreement': ram(
    'BuyerReference SellerTradeParty BuyerTradeParty BuyerOrderReferencedDocument',
  ),
  'ram:SellerTradeParty': tradeParty,
  'ram:BuyerTradeParty': tradeParty,
  'ram:PostalTradeAddress': ram('PostcodeCode LineOne LineTwo CityName CountryID'),
  'ram:ApplicableHeaderTradeSettlement': ram(
    'PaymentReference InvoiceCurrencyCode SpecifiedTradeSettlementPaymentMeans ApplicableTradeTax BillingSpecifiedPeriod SpecifiedTradePaymentTerms SpecifiedTradeSettlementHeaderMonetarySummation InvoiceReferencedDocument',
  ),
  'cac:LegalMonetaryTotal': [
    'cbc:LineExtensionAmount',
    ...['cbc:TaxExclusiveAmount', 'cbc:TaxInclusiveAmount', 'cbc:PrepaidAmount', 'cbc:PayableAmount'],
  ],
  'ram:SpecifiedTradeSettlementHeaderMonetarySummation': ram(
    'LineTotalAmount TaxBasisTotalAmount TaxTotalAmount GrandTotalAmount TotalPrepaidAmount DuePayableAmount',
  ),
  'ram:ApplicableTradeTax': ram(
    'CalculatedAmount TypeCode ExemptionReason BasisAmount CategoryCode ExemptionReasonCode RateApplicablePercent',
  ),
  'ram:InvoiceReferencedDocument': ram('IssuerAssignedID FormattedIssueDateTime'),
}

/**
 * The elements of an XML that are in a wrong place, or that the schema does not know there. Throws if the text is no
 * XML.
 */
export function outOfOrder(xml: string): string[] {
  const within = (element: XmlElement): string[] => {
    const children = element.children.flatMap((child) => (child instanceof XmlElement ? [child] : []))
    const order = ORDER[element.name]
    const places = children.map(({ name }) => (order ? order.indexOf(name) : 0))
    const wrong = children.filter((_, n) => places[n]! < 0 || places[n]! < (places[n - 1] ?? 0))
    return [...wrong.map(({ name }) => `${name} in ${element.name}`), ...children.flatMap(within)]
  }
  return within(new XmlDocument(xml))
}
