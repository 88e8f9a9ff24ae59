import type { CreditReason } from '@backstock/contract/document-kind.ts'
import type { InvoiceLanguage } from '@backstock/contract/invoice-language.ts'

/** The words of a credit note that replace those of an invoice, or come in addition. */
type CreditNoteTexts = {
  title: string
  number: string
  issuedOn: string
  customer: string
  credits: (number: string, date: string) => string
  reason: string
  reasons: Record<CreditReason, string>
  total: string
}

/**
 * In German VAT law, a 'Gutschrift' is an invoice that the buyer writes. So a credit note is a 'Rechnungskorrektur'.
 */
export const CREDIT_NOTE_TEXTS: Record<InvoiceLanguage, CreditNoteTexts> = {
  en: {
    title: 'Credit note',
    number: 'Credit note number',
    issuedOn: 'Date',
    customer: 'Customer',
    credits: (number, date) => `Credits invoice ${number} of ${date}`,
    reason: 'Reason',
    reasons: {
      return: 'Goods returned',
      correction: 'Correction of the invoice',
      resubmission: 'Items not delivered',
      void: 'Sale cancelled',
      allowance: 'Price reduction',
    },
    total: 'Total credited',
  },
  de: {
    title: 'Rechnungskorrektur',
    number: 'Korrekturnummer',
    issuedOn: 'Datum',
    customer: 'Empfänger',
    credits: (number, date) => `Korrigiert die Rechnung ${number} vom ${date}`,
    reason: 'Grund',
    reasons: {
      return: 'Warenrückgabe',
      correction: 'Berichtigung der Rechnung',
      resubmission: 'Nicht gelieferte Artikel',
      void: 'Stornierung des Verkaufs',
      allowance: 'Preisnachlass',
    },
    total: 'Korrekturbetrag',
  },
  fr: {
    title: 'Facture d’avoir',
    number: 'Numéro d’avoir',
    issuedOn: 'Date',
    customer: 'Client',
    credits: (number, date) => `Avoir sur la facture ${number} du ${date}`,
    reason: 'Motif',
    reasons: {
      return: 'Retour de marchandises',
      correction: 'Rectification de la facture',
      resubmission: 'Articles non livrés',
      void: 'Annulation de la vente',
      allowance: 'Réduction de prix',
    },
    total: 'Total de l’avoir',
  },
  nl: {
    title: 'Creditnota',
    number: 'Creditnotanummer',
    issuedOn: 'Datum',
    customer: 'Klant',
    credits: (number, date) => `Crediteert factuur ${number} van ${date}`,
    reason: 'Reden',
    reasons: {
      return: 'Retour van goederen',
      correction: 'Correctie van de factuur',
      resubmission: 'Niet geleverde artikelen',
      void: 'Annulering van de verkoop',
      allowance: 'Prijsvermindering',
    },
    total: 'Totaal gecrediteerd',
  },
  es: {
    title: 'Factura rectificativa',
    number: 'Número',
    issuedOn: 'Fecha',
    customer: 'Cliente',
    credits: (number, date) => `Rectifica la factura ${number} de ${date}`,
    reason: 'Motivo',
    reasons: {
      return: 'Devolución de mercancía',
      correction: 'Corrección de la factura',
      resubmission: 'Artículos no entregados',
      void: 'Anulación de la venta',
      allowance: 'Reducción del precio',
    },
    total: 'Total rectificado',
  },
  it: {
    title: 'Nota di credito',
    number: 'Numero nota di credito',
    issuedOn: 'Data',
    customer: 'Cliente',
    credits: (number, date) => `Storna la fattura ${number} del ${date}`,
    reason: 'Motivo',
    reasons: {
      return: 'Reso della merce',
      correction: 'Rettifica della fattura',
      resubmission: 'Articoli non consegnati',
      void: 'Annullamento della vendita',
      allowance: 'Riduzione del prezzo',
    },
    total: 'Totale accreditato',
  },
  pl: {
    title: 'Faktura korygująca',
    number: 'Numer korekty',
    issuedOn: 'Data wystawienia',
    customer: 'Nabywca',
    credits: (number, date) => `Koryguje fakturę ${number} z dnia ${date}`,
    reason: 'Przyczyna korekty',
    reasons: {
      return: 'Zwrot towaru',
      correction: 'Poprawienie błędów na fakturze',
      resubmission: 'Towary niedostarczone',
      void: 'Anulowanie sprzedaży',
      allowance: 'Obniżka ceny',
    },
    total: 'Kwota korekty',
  },
}

/** The reason for a credit note in a language. Words that a person wrote stay as they are. */
export const creditReason = (reason: string, lang: InvoiceLanguage): string =>
  (CREDIT_NOTE_TEXTS[lang].reasons as Record<string, string>)[reason] ?? reason
