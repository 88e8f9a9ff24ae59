import type { InvoiceLanguage } from '@backstock/contract/invoice-language.ts'

/** The words of the mail about a sale. `number` is that of the invoice, `order` that of the sale. */
export type MailTexts = {
  invoiceSubject: (number: string, seller: string) => string
  orderSubject: (order: string, seller: string) => string
  greeting: (name: string) => string
  invoiceAttached: (number: string) => string
  creditNoteSubject: (number: string, seller: string) => string
  creditNoteAttached: (number: string, invoice: string) => string
  /** The subject and the next sentence if the invoice that replaces the credited one is attached, too. */
  correctionSubject: (number: string, invoice: string, seller: string) => string
  newInvoiceAttached: (number: string, total: string) => string
  orderConfirmed: (order: string) => string
  /** The sentence after `orderConfirmed` if an invoice is attached that has no number of Backstock. */
  alsoAttached: string
  items: string
  questions: string
  thanks: string
  regards: string
}

export const MAIL_TEXTS: Record<InvoiceLanguage, MailTexts> = {
  en: {
    invoiceSubject: (number, seller) => `Invoice ${number} from ${seller}`,
    orderSubject: (order, seller) => `Your order ${order} with ${seller}`,
    greeting: (name) => `Dear ${name},`,
    invoiceAttached: (number) => `Please find attached our invoice ${number}.`,
    creditNoteSubject: (number, seller) => `Credit note ${number} from ${seller}`,
    creditNoteAttached: (number, invoice) => `Please find attached our credit note ${number} for invoice ${invoice}.`,
    correctionSubject: (number, invoice, seller) => `Credit note ${number} and invoice ${invoice} from ${seller}`,
    newInvoiceAttached: (number, total) =>
      `Our new invoice ${number} of ${total}, which replaces that invoice, is attached, too.`,
    orderConfirmed: (order) => `This confirms your order ${order}.`,
    alsoAttached: 'Please find our invoice attached.',
    items: 'Devices',
    questions: 'Should you have any questions, simply reply to this email.',
    thanks: 'Thank you for your order.',
    regards: 'Kind regards,',
  },
  de: {
    invoiceSubject: (number, seller) => `Rechnung ${number} von ${seller}`,
    orderSubject: (order, seller) => `Auftrag ${order} bei ${seller}`,
    greeting: (name) => `Guten Tag ${name},`,
    invoiceAttached: (number) => `anbei erhalten Sie unsere Rechnung ${number}.`,
    creditNoteSubject: (number, seller) => `Rechnungskorrektur ${number} von ${seller}`,
    creditNoteAttached: (number, invoice) =>
      `anbei erhalten Sie unsere Rechnungskorrektur ${number} zur Rechnung ${invoice}.`,
    correctionSubject: (number, invoice, seller) =>
      `Rechnungskorrektur ${number} und Rechnung ${invoice} von ${seller}`,
    newInvoiceAttached: (number, total) =>
      `Unsere neue Rechnung ${number} über ${total}, die jene Rechnung ersetzt, liegt ebenfalls bei.`,
    orderConfirmed: (order) => `hiermit bestätigen wir Ihren Auftrag ${order}.`,
    alsoAttached: 'Unsere Rechnung finden Sie im Anhang.',
    items: 'Geräte',
    questions: 'Bei Fragen antworten Sie einfach auf diese E-Mail.',
    thanks: 'Vielen Dank für Ihren Auftrag.',
    regards: 'Mit freundlichen Grüßen',
  },
  fr: {
    invoiceSubject: (number, seller) => `Facture ${number} de ${seller}`,
    orderSubject: (order, seller) => `Commande ${order} chez ${seller}`,
    greeting: (name) => `Bonjour ${name},`,
    invoiceAttached: (number) => `Veuillez trouver ci-joint notre facture ${number}.`,
    creditNoteSubject: (number, seller) => `Facture d’avoir ${number} de ${seller}`,
    creditNoteAttached: (number, invoice) =>
      `Veuillez trouver ci-joint notre facture d’avoir ${number} relative à la facture ${invoice}.`,
    correctionSubject: (number, invoice, seller) => `Facture d’avoir ${number} et facture ${invoice} de ${seller}`,
    newInvoiceAttached: (number, total) =>
      `Notre nouvelle facture ${number} de ${total}, qui remplace cette facture, est également jointe.`,
    orderConfirmed: (order) => `Nous vous confirmons votre commande ${order}.`,
    alsoAttached: 'Vous trouverez notre facture ci-jointe.',
    items: 'Appareils',
    questions: 'Pour toute question, il vous suffit de répondre à cet e-mail.',
    thanks: 'Nous vous remercions de votre commande.',
    regards: 'Cordialement,',
  },
  nl: {
    invoiceSubject: (number, seller) => `Factuur ${number} van ${seller}`,
    orderSubject: (order, seller) => `Bestelling ${order} bij ${seller}`,
    greeting: (name) => `Beste ${name},`,
    invoiceAttached: (number) => `In de bijlage vindt u onze factuur ${number}.`,
    creditNoteSubject: (number, seller) => `Creditnota ${number} van ${seller}`,
    creditNoteAttached: (number, invoice) => `In de bijlage vindt u onze creditnota ${number} bij factuur ${invoice}.`,
    correctionSubject: (number, invoice, seller) => `Creditnota ${number} en factuur ${invoice} van ${seller}`,
    newInvoiceAttached: (number, total) =>
      `Onze nieuwe factuur ${number} van ${total}, die deze factuur vervangt, vindt u ook in de bijlage.`,
    orderConfirmed: (order) => `Hierbij bevestigen wij uw bestelling ${order}.`,
    alsoAttached: 'Onze factuur vindt u in de bijlage.',
    items: 'Toestellen',
    questions: 'Hebt u vragen? Beantwoord dan gewoon deze e-mail.',
    thanks: 'Hartelijk dank voor uw bestelling.',
    regards: 'Met vriendelijke groet,',
  },
  es: {
    invoiceSubject: (number, seller) => `Factura ${number} de ${seller}`,
    orderSubject: (order, seller) => `Pedido ${order} en ${seller}`,
    greeting: (name) => `Hola, ${name}:`,
    invoiceAttached: (number) => `Le adjuntamos nuestra factura ${number}.`,
    creditNoteSubject: (number, seller) => `Factura rectificativa ${number} de ${seller}`,
    creditNoteAttached: (number, invoice) =>
      `Le adjuntamos nuestra factura rectificativa ${number} de la factura ${invoice}.`,
    correctionSubject: (number, invoice, seller) => `Factura rectificativa ${number} y factura ${invoice} de ${seller}`,
    newInvoiceAttached: (number, total) =>
      `También le adjuntamos nuestra nueva factura ${number} por ${total}, que sustituye a dicha factura.`,
    orderConfirmed: (order) => `Le confirmamos su pedido ${order}.`,
    alsoAttached: 'Le adjuntamos nuestra factura.',
    items: 'Dispositivos',
    questions: 'Si tiene alguna pregunta, responda a este correo.',
    thanks: 'Gracias por su pedido.',
    regards: 'Un cordial saludo,',
  },
  it: {
    invoiceSubject: (number, seller) => `Fattura ${number} di ${seller}`,
    orderSubject: (order, seller) => `Ordine ${order} presso ${seller}`,
    greeting: (name) => `Gentile ${name},`,
    invoiceAttached: (number) => `in allegato trova la nostra fattura ${number}.`,
    creditNoteSubject: (number, seller) => `Nota di credito ${number} di ${seller}`,
    creditNoteAttached: (number, invoice) =>
      `in allegato trova la nostra nota di credito ${number} relativa alla fattura ${invoice}.`,
    correctionSubject: (number, invoice, seller) => `Nota di credito ${number} e fattura ${invoice} di ${seller}`,
    newInvoiceAttached: (number, total) =>
      `In allegato trova anche la nostra nuova fattura ${number} di ${total}, che sostituisce tale fattura.`,
    orderConfirmed: (order) => `con la presente confermiamo il Suo ordine ${order}.`,
    alsoAttached: 'In allegato trova la nostra fattura.',
    items: 'Dispositivi',
    questions: 'Per qualsiasi domanda può rispondere a questa e-mail.',
    thanks: 'Grazie per il Suo ordine.',
    regards: 'Cordiali saluti',
  },
  pl: {
    invoiceSubject: (number, seller) => `Faktura ${number} – ${seller}`,
    orderSubject: (order, seller) => `Zamówienie ${order} – ${seller}`,
    // The greeting has no name, because Polish would have to decline it.
    greeting: () => 'Dzień dobry,',
    invoiceAttached: (number) => `w załączniku przesyłamy fakturę ${number}.`,
    creditNoteSubject: (number, seller) => `Faktura korygująca ${number} – ${seller}`,
    creditNoteAttached: (number, invoice) =>
      `w załączniku przesyłamy fakturę korygującą ${number} do faktury ${invoice}.`,
    correctionSubject: (number, invoice, seller) => `Faktura korygująca ${number} i faktura ${invoice} – ${seller}`,
    newInvoiceAttached: (number, total) =>
      `Przesyłamy również nową fakturę ${number} na kwotę ${total}, która zastępuje tę fakturę.`,
    orderConfirmed: (order) => `potwierdzamy Państwa zamówienie ${order}.`,
    alsoAttached: 'W załączniku przesyłamy fakturę.',
    items: 'Urządzenia',
    questions: 'W razie pytań prosimy o odpowiedź na tę wiadomość.',
    thanks: 'Dziękujemy za zamówienie.',
    regards: 'Z poważaniem',
  },
}
