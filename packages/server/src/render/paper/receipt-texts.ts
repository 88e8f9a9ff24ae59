import type { InvoiceLanguage } from '@backstock/contract/invoice-language.ts'
import type { IdentityKind, ReceiptKind, ReceiptPayment } from '@backstock/contract/receipt-kind.ts'

/** The words of a purchase receipt that an invoice does not have. */
export type ReceiptTexts = {
  title: Record<ReceiptKind, string>
  /** The title of a paper that takes a receipt back. */
  cancellation: string
  cancels: string
  /** The sentence by which a cancellation takes the whole receipt back. */
  takenBack: (number: string, day: string) => string
  reason: string
  number: string
  date: string
  boughtOn: string
  seller: string
  buyer: string
  identity: Record<IdentityKind, string>
  /** The last characters of the number of an identity document. */
  ending: (end: string) => string
  price: string
  total: string
  paidBy: string
  payment: Record<ReceiptPayment, string>
  /** The words of the directive for an invoice that the customer issues (article 226 (10a)). */
  selfBilling: string
  /** The declaration of a private seller, which they sign. */
  declaration: string
  signedBySeller: string
  signedByBuyer: string
}

/**
 * The words 'self-billing' are those of the directive's own version in each language. The Dutch declaration has the
 * sentence that an 'inkoopverklaring' needs, that no VAT at all was deducted; the others follow it. In German, a receipt
 * of a private person is no 'Gutschrift', because that is an invoice between businesses (§ 14 (2) UStG; known, not read).
 */
export const RECEIPT_TEXTS: Record<InvoiceLanguage, ReceiptTexts> = {
  en: {
    title: { private: 'Purchase receipt', self_billed: 'Invoice' },
    cancellation: 'Cancellation',
    cancels: 'Cancels',
    takenBack: (number, day) => `This document cancels ${number} of ${day} in full.`,
    reason: 'Reason',
    number: 'Number',
    date: 'Date',
    boughtOn: 'Date of purchase',
    seller: 'Seller',
    buyer: 'Buyer',
    identity: { identity_card: 'Identity card', passport: 'Passport', driving_licence: 'Driving licence' },
    ending: (end) => `ending in ${end}`,
    price: 'Purchase price',
    total: 'Total',
    paidBy: 'Payment method',
    payment: { cash: 'Cash', transfer: 'Bank transfer', trade_in: 'Set off against a sale' },
    selfBilling: 'Self-billing',
    declaration:
      'I, the seller, declare that these goods are my property and free from third-party rights. I sell them as a private person and not as a taxable person, and I have not deducted any VAT on them.',
    signedBySeller: 'Place, date, signature of the seller',
    signedByBuyer: 'Signature of the buyer',
  },
  de: {
    title: { private: 'Ankaufsbeleg', self_billed: 'Gutschrift' },
    cancellation: 'Storno',
    cancels: 'Storniert',
    takenBack: (number, day) => `Dieser Beleg hebt ${number} vom ${day} vollständig auf.`,
    reason: 'Grund',
    number: 'Nummer',
    date: 'Datum',
    boughtOn: 'Ankaufsdatum',
    seller: 'Verkäufer',
    buyer: 'Käufer',
    identity: { identity_card: 'Personalausweis', passport: 'Reisepass', driving_licence: 'Führerschein' },
    ending: (end) => `endend auf ${end}`,
    price: 'Ankaufspreis',
    total: 'Gesamtbetrag',
    paidBy: 'Zahlungsart',
    payment: { cash: 'Bar', transfer: 'Überweisung', trade_in: 'Verrechnung mit einem Kauf' },
    selfBilling: 'Gutschrift',
    declaration:
      'Der Verkäufer erklärt: Diese Gegenstände sind mein Eigentum und frei von Rechten Dritter. Ich verkaufe sie als Privatperson und nicht als Unternehmer und habe für sie keine Vorsteuer abgezogen.',
    signedBySeller: 'Ort, Datum, Unterschrift des Verkäufers',
    signedByBuyer: 'Unterschrift des Käufers',
  },
  fr: {
    title: { private: 'Bordereau d’achat', self_billed: 'Facture' },
    cancellation: 'Annulation',
    cancels: 'Annule',
    takenBack: (number, day) => `Ce document annule entièrement ${number} du ${day}.`,
    reason: 'Motif',
    number: 'Numéro',
    date: 'Date',
    boughtOn: 'Date d’achat',
    seller: 'Vendeur',
    buyer: 'Acheteur',
    identity: { identity_card: 'Carte d’identité', passport: 'Passeport', driving_licence: 'Permis de conduire' },
    ending: (end) => `se terminant par ${end}`,
    price: 'Prix d’achat',
    total: 'Total',
    paidBy: 'Mode de paiement',
    payment: { cash: 'Espèces', transfer: 'Virement', trade_in: 'Reprise sur un achat' },
    selfBilling: 'Autofacturation',
    declaration:
      'Le vendeur déclare : ces biens m’appartiennent et sont libres de tout droit de tiers. Je les vends en tant que particulier et non en tant qu’assujetti, et je n’ai déduit aucune TVA à leur titre.',
    signedBySeller: 'Lieu, date, signature du vendeur',
    signedByBuyer: 'Signature de l’acheteur',
  },
  nl: {
    title: { private: 'Inkoopverklaring', self_billed: 'Factuur' },
    cancellation: 'Annulering',
    cancels: 'Annuleert',
    takenBack: (number, day) => `Dit document maakt ${number} van ${day} geheel ongedaan.`,
    reason: 'Reden',
    number: 'Nummer',
    date: 'Datum',
    boughtOn: 'Datum van levering',
    seller: 'Verkoper',
    buyer: 'Koper',
    identity: { identity_card: 'Identiteitskaart', passport: 'Paspoort', driving_licence: 'Rijbewijs' },
    ending: (end) => `eindigend op ${end}`,
    price: 'Inkoopprijs',
    total: 'Totaal',
    paidBy: 'Wijze van betaling',
    payment: { cash: 'Contant', transfer: 'Overschrijving', trade_in: 'Verrekend met een aankoop' },
    selfBilling: 'Factuur uitgereikt door afnemer',
    declaration:
      'De verkoper verklaart: deze goederen zijn mijn eigendom en vrij van rechten van anderen. Ik verkoop ze als particulier en niet als ondernemer, en ik heb voor deze goederen in het geheel geen btw in aftrek gebracht.',
    signedBySeller: 'Plaats, datum, handtekening van de verkoper',
    signedByBuyer: 'Handtekening van de koper',
  },
  es: {
    title: { private: 'Recibo de compra', self_billed: 'Factura' },
    cancellation: 'Anulación',
    cancels: 'Anula',
    takenBack: (number, day) => `Este documento anula por completo ${number} del ${day}.`,
    reason: 'Motivo',
    number: 'Número',
    date: 'Fecha',
    boughtOn: 'Fecha de compra',
    seller: 'Vendedor',
    buyer: 'Comprador',
    identity: {
      identity_card: 'Documento de identidad',
      passport: 'Pasaporte',
      driving_licence: 'Permiso de conducir',
    },
    ending: (end) => `terminado en ${end}`,
    price: 'Precio de compra',
    total: 'Total',
    paidBy: 'Forma de pago',
    payment: { cash: 'Efectivo', transfer: 'Transferencia', trade_in: 'Compensación con una compra' },
    selfBilling: 'Facturación por el destinatario',
    declaration:
      'El vendedor declara: estos bienes son de mi propiedad y están libres de derechos de terceros. Los vendo como particular y no como sujeto pasivo, y no he deducido IVA alguno por ellos.',
    signedBySeller: 'Lugar, fecha y firma del vendedor',
    signedByBuyer: 'Firma del comprador',
  },
  it: {
    title: { private: 'Ricevuta d’acquisto', self_billed: 'Fattura' },
    cancellation: 'Annullamento',
    cancels: 'Annulla',
    takenBack: (number, day) => `Questo documento annulla per intero ${number} del ${day}.`,
    reason: 'Motivo',
    number: 'Numero',
    date: 'Data',
    boughtOn: 'Data di acquisto',
    seller: 'Venditore',
    buyer: 'Acquirente',
    identity: { identity_card: 'Carta d’identità', passport: 'Passaporto', driving_licence: 'Patente di guida' },
    ending: (end) => `che termina con ${end}`,
    price: 'Prezzo di acquisto',
    total: 'Totale',
    paidBy: 'Modo di pagamento',
    payment: { cash: 'Contanti', transfer: 'Bonifico', trade_in: 'Compensazione con un acquisto' },
    selfBilling: 'Autofatturazione',
    declaration:
      'Il venditore dichiara: questi beni sono di mia proprietà e liberi da diritti di terzi. Li vendo come privato e non come soggetto passivo, e non ho detratto alcuna IVA per essi.',
    signedBySeller: 'Luogo, data, firma del venditore',
    signedByBuyer: 'Firma dell’acquirente',
  },
  pl: {
    title: { private: 'Dowód zakupu', self_billed: 'Faktura' },
    cancellation: 'Anulowanie',
    cancels: 'Anuluje',
    takenBack: (number, day) => `Ten dokument anuluje w całości ${number} z dnia ${day}.`,
    reason: 'Powód',
    number: 'Numer',
    date: 'Data',
    boughtOn: 'Data zakupu',
    seller: 'Sprzedawca',
    buyer: 'Nabywca',
    identity: { identity_card: 'Dowód osobisty', passport: 'Paszport', driving_licence: 'Prawo jazdy' },
    ending: (end) => `kończy się na ${end}`,
    price: 'Cena zakupu',
    total: 'Razem',
    paidBy: 'Forma płatności',
    payment: { cash: 'Gotówka', transfer: 'Przelew', trade_in: 'Rozliczenie z zakupem' },
    selfBilling: 'Samofakturowanie',
    declaration:
      'Sprzedawca oświadcza: towary te są moją własnością i są wolne od praw osób trzecich. Sprzedaję je jako osoba prywatna, a nie jako podatnik, i nie odliczyłem od nich podatku VAT.',
    signedBySeller: 'Miejsce, data, podpis sprzedawcy',
    signedByBuyer: 'Podpis nabywcy',
  },
}
