import type { InvoiceLanguage } from '@backstock/contract/invoice-language.ts'

/** What the mail about a sale says. `number` is the invoice's, `order` the sale's. */
export type MailTexts = {
  invoiceSubject: (number: string, seller: string) => string
  orderSubject: (order: string, seller: string) => string
  greeting: (name: string) => string
  invoiceAttached: (number: string) => string
  orderConfirmed: (order: string) => string
  /** After `orderConfirmed`, where an invoice without a number of ours comes along. */
  alsoAttached: string
  items: string
  questions: string
  thanks: string
  regards: string
}

export const MAIL_TEXTS: Record<InvoiceLanguage, MailTexts> = {
  en: {
    invoiceSubject: (number, seller) => `Invoice ${number} from ${seller}`,
    orderSubject: (order, seller) => `Order ${order} at ${seller}`,
    greeting: (name) => `Dear ${name},`,
    invoiceAttached: (number) => `Please find attached our invoice ${number}.`,
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
    // Without the name, which would have to be declined.
    greeting: () => 'Dzień dobry,',
    invoiceAttached: (number) => `w załączniku przesyłamy fakturę ${number}.`,
    orderConfirmed: (order) => `potwierdzamy Państwa zamówienie ${order}.`,
    alsoAttached: 'W załączniku przesyłamy fakturę.',
    items: 'Urządzenia',
    questions: 'W razie pytań prosimy o odpowiedź na tę wiadomość.',
    thanks: 'Dziękujemy za zamówienie.',
    regards: 'Z poważaniem',
  },
}
