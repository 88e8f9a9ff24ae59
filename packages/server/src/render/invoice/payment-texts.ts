import { formatDate } from '@backstock/contract/format-in-language.ts'
import type { InvoiceLanguage } from '@backstock/contract/invoice-language.ts'
import type { InvoiceData } from './data.ts'
import { daysAfter } from './format.ts'

type PaymentTexts = {
  within: (days: number, date: string) => string
  atOnce: string
  /** Under the code that a banking app reads. */
  scan: string
}

export const PAYMENT_TEXTS: Record<InvoiceLanguage, PaymentTexts> = {
  en: {
    within: (days, date) => `Payable within ${days} ${days === 1 ? 'day' : 'days'}, by ${date}`,
    atOnce: 'Payable at once',
    scan: 'Scan with a banking app to pay',
  },
  de: {
    within: (days, date) => `Zahlbar innerhalb von ${days} ${days === 1 ? 'Tag' : 'Tagen'}, bis zum ${date}`,
    atOnce: 'Sofort zahlbar',
    scan: 'Mit der Banking-App scannen und zahlen',
  },
  fr: {
    within: (days, date) => `Payable sous ${days} ${days === 1 ? 'jour' : 'jours'}, au plus tard le ${date}`,
    atOnce: 'Payable à réception',
    scan: 'À scanner avec une application bancaire pour payer',
  },
  nl: {
    within: (days, date) => `Te betalen binnen ${days} ${days === 1 ? 'dag' : 'dagen'}, uiterlijk op ${date}`,
    atOnce: 'Direct te betalen',
    scan: 'Scan met een bankapp om te betalen',
  },
  es: {
    within: (days, date) => `Pagadera en ${days} ${days === 1 ? 'día' : 'días'}, hasta el ${date}`,
    atOnce: 'Pagadera al contado',
    scan: 'Escanee con la app de su banco para pagar',
  },
  it: {
    within: (days, date) => `Pagabile entro ${days} ${days === 1 ? 'giorno' : 'giorni'}, entro il ${date}`,
    atOnce: 'Pagamento immediato',
    scan: 'Scansionare con l’app della banca per pagare',
  },
  pl: {
    within: (days, date) => `Płatne w ciągu ${days} ${days === 1 ? 'dnia' : 'dni'}, do ${date}`,
    atOnce: 'Płatne natychmiast',
    scan: 'Zeskanuj aplikacją bankową, aby zapłacić',
  },
}

/** Until when an invoice is to be paid, in its language. */
export function paymentTerms({ issued_on, seller }: InvoiceData, lang: InvoiceLanguage): string {
  const { within, atOnce } = PAYMENT_TEXTS[lang]
  const days = seller.payment_days
  return days === 0 ? atOnce : within(days, formatDate(daysAfter(issued_on, days), lang))
}
