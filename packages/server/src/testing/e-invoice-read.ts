import { XmlDocument, XmlElement } from 'xmldoc'

/**
 * The values in an XML of either syntax, under the names of EN 16931. Amounts are in hundredths, days are yyyy-mm-dd.
 */
export type Read = {
  guideline: string | undefined
  process: string | undefined
  number: string | undefined
  type: string | undefined
  issued_on: string | undefined
  due_on: string | undefined
  currency: string | undefined
  reference: string | undefined
  order: string | undefined
  note: string | undefined
  terms: string | undefined
  preceding: { number: string | undefined; issued_on: string | undefined }[]
  seller: Party
  buyer: Party
  delivered_on: string | undefined
  deliver_to: Address
  period: { start: string | undefined; end: string | undefined }
  means: { code: string; iban: string | undefined; bic: string | undefined }[]
  remittance: string | undefined
  groups: Group[]
  lines: Line[]
  sums: { lines: number; net: number; vat: number; gross: number; paid: number | undefined; payable: number }
  /** All texts that look like amounts, as written. */
  amounts: string[]
}
type Address = Record<'street' | 'street_2' | 'city' | 'postal_code' | 'country', string | undefined>
type Party = Record<'name' | 'registration' | 'vat_number' | 'tax_number', string | undefined> &
  Address & {
    /** The kind of the number in `registration`, if the XML names it. */
    registered_as: string | undefined
    /** The address for e-invoices, as its kind and its identifier. */
    electronic: [kind: string | undefined, id: string | undefined]
    contact: Record<'name' | 'phone' | 'email', string | undefined>
  }
export type Group = {
  net: number
  vat: number
  category: string | undefined
  rate: number
  reason: string | undefined
  code: string | undefined
}
type Line = {
  id: string | undefined
  quantity: string | undefined
  unit: string | undefined
  net: number
  price: number
  category: string | undefined
  rate: number
  name: string | undefined
  attributes: [string | undefined, string | undefined][]
}

const cents = (text: string | undefined) => (text === undefined ? Number.NaN : Math.round(Number(text) * 100))
const day = (text: string | undefined) => text?.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3')

/** The elements at the end of a path. */
function all(from: XmlElement, path: string): XmlElement[] {
  return path.split('/').reduce((found, name) => found.flatMap((one) => one.childrenNamed(name)), [from])
}
const text = (from: XmlElement, path: string) => all(from, path)[0]?.val
const schemeOf = (from: XmlElement, path: string) => all(from, path)[0]?.attr['schemeID']

function everyAmount(element: XmlElement): string[] {
  const inside = element.children.flatMap((child) => (child instanceof XmlElement ? everyAmount(child) : []))
  return /Amount$/.test(element.name) ? [...inside, element.val] : inside
}

export function readCii(xml: string): Read {
  const root = new XmlDocument(xml)
  const document = all(root, 'rsm:ExchangedDocument')[0]!
  const trade = all(root, 'rsm:SupplyChainTradeTransaction')[0]!
  const [agreed, delivered, settled] = ['Agreement', 'Delivery', 'Settlement'].map(
    (part) => all(trade, `ram:ApplicableHeaderTrade${part}`)[0]!,
  ) as [XmlElement, XmlElement, XmlElement]
  const address = (party: XmlElement | undefined): Address => {
    const of = (name: string) => party && text(party, `ram:PostalTradeAddress/ram:${name}`)
    return {
      ...{ street: of('LineOne'), street_2: of('LineTwo'), city: of('CityName') },
      ...{ postal_code: of('PostcodeCode'), country: of('CountryID') },
    }
  }
  const taxId = (party: XmlElement, scheme: string) =>
    all(party, 'ram:SpecifiedTaxRegistration/ram:ID').find(({ attr }) => attr['schemeID'] === scheme)?.val
  const party = (name: string): Party => {
    const one = all(agreed, name)[0]!
    return {
      name: text(one, 'ram:Name'),
      registration: text(one, 'ram:SpecifiedLegalOrganization/ram:ID'),
      registered_as: schemeOf(one, 'ram:SpecifiedLegalOrganization/ram:ID'),
      electronic: [
        schemeOf(one, 'ram:URIUniversalCommunication/ram:URIID'),
        text(one, 'ram:URIUniversalCommunication/ram:URIID'),
      ],
      contact: {
        name: text(one, 'ram:DefinedTradeContact/ram:PersonName'),
        phone: text(one, 'ram:DefinedTradeContact/ram:TelephoneUniversalCommunication/ram:CompleteNumber'),
        email: text(one, 'ram:DefinedTradeContact/ram:EmailURIUniversalCommunication/ram:URIID'),
      },
      vat_number: taxId(one, 'VA'),
      tax_number: taxId(one, 'FC'),
      ...address(one),
    }
  }
  const on = (from: XmlElement, path: string, type = 'udt') => day(text(from, `${path}/${type}:DateTimeString`))
  const sum = (name: string) => cents(text(settled, `ram:SpecifiedTradeSettlementHeaderMonetarySummation/ram:${name}`))
  return {
    guideline: text(root, 'rsm:ExchangedDocumentContext/ram:GuidelineSpecifiedDocumentContextParameter/ram:ID'),
    process: text(root, 'rsm:ExchangedDocumentContext/ram:BusinessProcessSpecifiedDocumentContextParameter/ram:ID'),
    number: text(document, 'ram:ID'),
    type: text(document, 'ram:TypeCode'),
    issued_on: on(document, 'ram:IssueDateTime'),
    due_on: on(settled, 'ram:SpecifiedTradePaymentTerms/ram:DueDateDateTime'),
    currency: text(settled, 'ram:InvoiceCurrencyCode'),
    reference: text(agreed, 'ram:BuyerReference'),
    order: text(agreed, 'ram:BuyerOrderReferencedDocument/ram:IssuerAssignedID'),
    note: text(document, 'ram:IncludedNote/ram:Content'),
    terms: text(settled, 'ram:SpecifiedTradePaymentTerms/ram:Description'),
    preceding: all(settled, 'ram:InvoiceReferencedDocument').map((one) => ({
      number: text(one, 'ram:IssuerAssignedID'),
      issued_on: on(one, 'ram:FormattedIssueDateTime', 'qdt'),
    })),
    seller: party('ram:SellerTradeParty'),
    buyer: party('ram:BuyerTradeParty'),
    delivered_on: on(delivered, 'ram:ActualDeliverySupplyChainEvent/ram:OccurrenceDateTime'),
    deliver_to: address(all(delivered, 'ram:ShipToTradeParty')[0]),
    period: {
      start: on(settled, 'ram:BillingSpecifiedPeriod/ram:StartDateTime'),
      end: on(settled, 'ram:BillingSpecifiedPeriod/ram:EndDateTime'),
    },
    means: all(settled, 'ram:SpecifiedTradeSettlementPaymentMeans').map((one) => ({
      code: text(one, 'ram:TypeCode')!,
      iban: text(one, 'ram:PayeePartyCreditorFinancialAccount/ram:IBANID'),
      bic: text(one, 'ram:PayeeSpecifiedCreditorFinancialInstitution/ram:BICID'),
    })),
    remittance: text(settled, 'ram:PaymentReference'),
    groups: all(settled, 'ram:ApplicableTradeTax').map((tax) => ({
      net: cents(text(tax, 'ram:BasisAmount')),
      vat: cents(text(tax, 'ram:CalculatedAmount')),
      category: text(tax, 'ram:CategoryCode'),
      rate: cents(text(tax, 'ram:RateApplicablePercent')),
      reason: text(tax, 'ram:ExemptionReason'),
      code: text(tax, 'ram:ExemptionReasonCode'),
    })),
    lines: all(trade, 'ram:IncludedSupplyChainTradeLineItem').map((line) => {
      const quantity = all(line, 'ram:SpecifiedLineTradeDelivery/ram:BilledQuantity')[0]
      const tax = (name: string) => text(line, `ram:SpecifiedLineTradeSettlement/ram:ApplicableTradeTax/ram:${name}`)
      return {
        id: text(line, 'ram:AssociatedDocumentLineDocument/ram:LineID'),
        ...{ quantity: quantity?.val, unit: quantity?.attr.unitCode },
        net: cents(
          text(
            line,
            'ram:SpecifiedLineTradeSettlement/ram:SpecifiedTradeSettlementLineMonetarySummation/ram:LineTotalAmount',
          ),
        ),
        price: cents(text(line, 'ram:SpecifiedLineTradeAgreement/ram:NetPriceProductTradePrice/ram:ChargeAmount')),
        ...{ category: tax('CategoryCode'), rate: cents(tax('RateApplicablePercent')) },
        name: text(line, 'ram:SpecifiedTradeProduct/ram:Name'),
        attributes: all(line, 'ram:SpecifiedTradeProduct/ram:ApplicableProductCharacteristic').map((one) => [
          text(one, 'ram:Description'),
          text(one, 'ram:Value'),
        ]),
      }
    }),
    sums: {
      ...{ lines: sum('LineTotalAmount'), net: sum('TaxBasisTotalAmount'), vat: sum('TaxTotalAmount') },
      ...{
        gross: sum('GrandTotalAmount'),
        paid: sum('TotalPrepaidAmount') || undefined,
        payable: sum('DuePayableAmount'),
      },
    },
    amounts: everyAmount(root),
  }
}

export function readUbl(xml: string): Read {
  const root = new XmlDocument(xml)
  const address = (from: XmlElement, path: string): Address => {
    const of = (name: string) => text(from, `${path}/${name}`)
    return {
      ...{ street: of('cbc:StreetName'), street_2: of('cbc:AdditionalStreetName'), city: of('cbc:CityName') },
      ...{ postal_code: of('cbc:PostalZone'), country: of('cac:Country/cbc:IdentificationCode') },
    }
  }
  const taxId = (party: XmlElement, isVat: boolean) => {
    const schemes = all(party, 'cac:PartyTaxScheme')
    const scheme = schemes.find((one) => (text(one, 'cac:TaxScheme/cbc:ID') === 'VAT') === isVat)
    return scheme && text(scheme, 'cbc:CompanyID')
  }
  const party = (name: string): Party => {
    const one = all(root, `${name}/cac:Party`)[0]!
    return {
      name: text(one, 'cac:PartyLegalEntity/cbc:RegistrationName'),
      registration: text(one, 'cac:PartyLegalEntity/cbc:CompanyID'),
      registered_as: schemeOf(one, 'cac:PartyLegalEntity/cbc:CompanyID'),
      electronic: [schemeOf(one, 'cbc:EndpointID'), text(one, 'cbc:EndpointID')],
      contact: {
        name: text(one, 'cac:Contact/cbc:Name'),
        phone: text(one, 'cac:Contact/cbc:Telephone'),
        email: text(one, 'cac:Contact/cbc:ElectronicMail'),
      },
      vat_number: taxId(one, true),
      tax_number: taxId(one, false),
      ...address(one, 'cac:PostalAddress'),
    }
  }
  const sum = (name: string) => cents(text(root, `cac:LegalMonetaryTotal/cbc:${name}`))
  return {
    guideline: text(root, 'cbc:CustomizationID'),
    process: text(root, 'cbc:ProfileID'),
    number: text(root, 'cbc:ID'),
    type: text(root, `cbc:${root.name}TypeCode`),
    issued_on: text(root, 'cbc:IssueDate'),
    due_on: text(root, 'cbc:DueDate'),
    currency: text(root, 'cbc:DocumentCurrencyCode'),
    reference: text(root, 'cbc:BuyerReference'),
    order: text(root, 'cac:OrderReference/cbc:ID'),
    note: text(root, 'cbc:Note'),
    terms: text(root, 'cac:PaymentTerms/cbc:Note'),
    preceding: all(root, 'cac:BillingReference/cac:InvoiceDocumentReference').map((one) => ({
      number: text(one, 'cbc:ID'),
      issued_on: text(one, 'cbc:IssueDate'),
    })),
    seller: party('cac:AccountingSupplierParty'),
    buyer: party('cac:AccountingCustomerParty'),
    delivered_on: text(root, 'cac:Delivery/cbc:ActualDeliveryDate'),
    deliver_to: address(root, 'cac:Delivery/cac:DeliveryLocation/cac:Address'),
    period: { start: text(root, 'cac:InvoicePeriod/cbc:StartDate'), end: text(root, 'cac:InvoicePeriod/cbc:EndDate') },
    means: all(root, 'cac:PaymentMeans').map((one) => ({
      code: text(one, 'cbc:PaymentMeansCode')!,
      iban: text(one, 'cac:PayeeFinancialAccount/cbc:ID'),
      bic: text(one, 'cac:PayeeFinancialAccount/cac:FinancialInstitutionBranch/cbc:ID'),
    })),
    remittance: text(root, 'cac:PaymentMeans/cbc:PaymentID'),
    groups: all(root, 'cac:TaxTotal/cac:TaxSubtotal').map((tax) => ({
      net: cents(text(tax, 'cbc:TaxableAmount')),
      vat: cents(text(tax, 'cbc:TaxAmount')),
      category: text(tax, 'cac:TaxCategory/cbc:ID'),
      rate: cents(text(tax, 'cac:TaxCategory/cbc:Percent')),
      reason: text(tax, 'cac:TaxCategory/cbc:TaxExemptionReason'),
      code: text(tax, 'cac:TaxCategory/cbc:TaxExemptionReasonCode'),
    })),
    lines: all(root, `cac:${root.name}Line`).map((line) => {
      const quantity = all(line, `cbc:${root.name === 'CreditNote' ? 'Credited' : 'Invoiced'}Quantity`)[0]
      return {
        id: text(line, 'cbc:ID'),
        ...{ quantity: quantity?.val, unit: quantity?.attr.unitCode },
        net: cents(text(line, 'cbc:LineExtensionAmount')),
        price: cents(text(line, 'cac:Price/cbc:PriceAmount')),
        category: text(line, 'cac:Item/cac:ClassifiedTaxCategory/cbc:ID'),
        rate: cents(text(line, 'cac:Item/cac:ClassifiedTaxCategory/cbc:Percent')),
        name: text(line, 'cac:Item/cbc:Name'),
        attributes: all(line, 'cac:Item/cac:AdditionalItemProperty').map((one) => [
          text(one, 'cbc:Name'),
          text(one, 'cbc:Value'),
        ]),
      }
    }),
    sums: {
      ...{ lines: sum('LineExtensionAmount'), net: sum('TaxExclusiveAmount') },
      vat: cents(text(root, 'cac:TaxTotal/cbc:TaxAmount')),
      ...{ gross: sum('TaxInclusiveAmount'), paid: sum('PrepaidAmount') || undefined, payable: sum('PayableAmount') },
    },
    amounts: everyAmount(root),
  }
}
