import { formatDate } from '@backstock/contract/format-in-language.ts'
import type { InvoiceLanguage } from '@backstock/contract/invoice-language.ts'
import { type InvoiceData, isSettled } from './data.ts'
import { daysAfter } from './format.ts'

type PaymentTexts = {
  within: (days: number, date: string) => string
  atOnce: string
  /** The note beside the code for banking apps. */
  scan: string
  /** The names of the paid sum, of the open sum, and of the sum in the buyer's favour. */
  paid: string
  open: string
  balance: string
  /** The words that replace the terms of payment if everything is paid. */
  settled: string
}

export const PAYMENT_TEXTS: Record<InvoiceLanguage, PaymentTexts> = {
  en: {
    within: (days, date) => `Payable within ${days} ${days === 1 ? 'day' : 'days'}, by ${date}`,
    atOnce: 'Payable at once',
    scan: 'Scan with a banking app to pay',
    paid: 'Paid already',
    open: 'Amount due',
    balance: 'Balance in your favour',
    settled: 'This invoice has been paid.',
  },
  de: {
    within: (days, date) => `Zahlbar innerhalb von ${days} ${days === 1 ? 'Tag' : 'Tagen'}, bis zum ${date}`,
    atOnce: 'Sofort zahlbar',
    scan: 'Mit der Banking-App scannen und zahlen',
    paid: 'Bereits gezahlt',
    open: 'Noch zu zahlen',
    balance: 'Guthaben zu Ihren Gunsten',
    settled: 'Diese Rechnung ist bereits bezahlt.',
  },
  fr: {
    within: (days, date) => `Payable sous ${days} ${days === 1 ? 'jour' : 'jours'}, au plus tard le ${date}`,
    atOnce: 'Payable à réception',
    scan: 'À scanner avec une application bancaire pour payer',
    paid: 'Déjà réglé',
    open: 'Reste à payer',
    balance: 'Solde en votre faveur',
    settled: 'Cette facture est déjà réglée.',
  },
  nl: {
    within: (days, date) => `Te betalen binnen ${days} ${days === 1 ? 'dag' : 'dagen'}, uiterlijk op ${date}`,
    atOnce: 'Direct te betalen',
    scan: 'Scan met een bankapp om te betalen',
    paid: 'Reeds betaald',
    open: 'Nog te betalen',
    balance: 'Saldo in uw voordeel',
    settled: 'Deze factuur is al betaald.',
  },
  es: {
    within: (days, date) => `Pagadera en ${days} ${days === 1 ? 'día' : 'días'}, hasta el ${date}`,
    atOnce: 'Pagadera al contado',
    scan: 'Escanee con la app de su banco para pagar',
    paid: 'Ya pagado',
    open: 'Pendiente de pago',
    balance: 'Saldo a su favor',
    settled: 'Esta factura ya está pagada.',
  },
  it: {
    within: (days, date) => `Pagabile entro ${days} ${days === 1 ? 'giorno' : 'giorni'}, entro il ${date}`,
    atOnce: 'Pagamento immediato',
    scan: 'Scansionare con l’app della banca per pagare',
    paid: 'Già pagato',
    open: 'Da pagare',
    balance: 'Saldo a vostro favore',
    settled: 'Questa fattura è già stata pagata.',
  },
  pl: {
    within: (days, date) => `Płatne w ciągu ${days} ${days === 1 ? 'dnia' : 'dni'}, do ${date}`,
    atOnce: 'Płatne natychmiast',
    scan: 'Zeskanuj aplikacją bankową, aby zapłacić',
    paid: 'Zapłacono',
    open: 'Pozostało do zapłaty',
    balance: 'Nadpłata',
    settled: 'Ta faktura jest już opłacona.',
  },
}

/** The terms of payment in the invoice's language, or the words that everything is paid. */
export function paymentTerms(data: InvoiceData, lang: InvoiceLanguage): string {
  const { within, atOnce, settled } = PAYMENT_TEXTS[lang]
  if (isSettled(data)) return settled
  const { issued_on, seller } = data
  const days = seller.payment_days
  return days === 0 ? atOnce : within(days, formatDate(daysAfter(issued_on, days), lang))
}
