import type { InvoiceLanguage } from '@backstock/contract/invoice-language.ts'

/** What a credit note says instead of an invoice's own words, or besides. */
type CreditNoteTexts = {
  title: string
  number: string
  issuedOn: string
  customer: string
  credits: (number: string, date: string) => string
  reason: string
  total: string
}

/** In German VAT law 'Gutschrift' is an invoice that the buyer writes: a credit note is a 'Rechnungskorrektur'. */
export const CREDIT_NOTE_TEXTS: Record<InvoiceLanguage, CreditNoteTexts> = {
  en: {
    title: 'Credit note',
    number: 'Credit note number',
    issuedOn: 'Date',
    customer: 'Customer',
    credits: (number, date) => `Credits invoice ${number} of ${date}`,
    reason: 'Reason',
    total: 'Total credited',
  },
  de: {
    title: 'Rechnungskorrektur',
    number: 'Korrekturnummer',
    issuedOn: 'Datum',
    customer: 'Empfänger',
    credits: (number, date) => `Korrigiert die Rechnung ${number} vom ${date}`,
    reason: 'Grund',
    total: 'Korrekturbetrag',
  },
  fr: {
    title: 'Facture d’avoir',
    number: 'Numéro d’avoir',
    issuedOn: 'Date',
    customer: 'Client',
    credits: (number, date) => `Avoir sur la facture ${number} du ${date}`,
    reason: 'Motif',
    total: 'Total de l’avoir',
  },
  nl: {
    title: 'Creditnota',
    number: 'Creditnotanummer',
    issuedOn: 'Datum',
    customer: 'Klant',
    credits: (number, date) => `Crediteert factuur ${number} van ${date}`,
    reason: 'Reden',
    total: 'Totaal gecrediteerd',
  },
  es: {
    title: 'Factura rectificativa',
    number: 'Número',
    issuedOn: 'Fecha',
    customer: 'Cliente',
    credits: (number, date) => `Rectifica la factura ${number} de ${date}`,
    reason: 'Motivo',
    total: 'Total rectificado',
  },
  it: {
    title: 'Nota di credito',
    number: 'Numero nota di credito',
    issuedOn: 'Data',
    customer: 'Cliente',
    credits: (number, date) => `Storna la fattura ${number} del ${date}`,
    reason: 'Motivo',
    total: 'Totale accreditato',
  },
  pl: {
    title: 'Faktura korygująca',
    number: 'Numer korekty',
    issuedOn: 'Data wystawienia',
    customer: 'Nabywca',
    credits: (number, date) => `Koryguje fakturę ${number} z dnia ${date}`,
    reason: 'Przyczyna korekty',
    total: 'Kwota korekty',
  },
}
