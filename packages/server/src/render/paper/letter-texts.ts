import type { InvoiceLanguage } from '@backstock/contract/invoice-language.ts'
import type { LetterKind, ReminderLevel } from '@backstock/contract/letter-kind.ts'

/** The words of statements and reminders. `sum` and `date` are written in the letter's language already. */
export type LetterTexts = {
  statement: string
  reminder: Record<ReminderLevel, string>
  /** The first sentence after the greeting. It begins with a small letter if the language demands that there. */
  asOf: (date: string) => string
  /** Stands for `asOf` if nothing is left to pay: credits and payments cover the open invoices. */
  balanced: (date: string) => string
  overdue: Record<ReminderLevel, (sum: string) => string>
  ask: (date: string) => string
  /** The sentence that only the final notice has. */
  final: string
  crossed: string
  /** The sentences of the mail about its attachments. */
  attached: string
  invoicesAttached: string
  paid: string
  open: string
  days: string
  totalOpen: string
  totalOverdue: string
  /** Stands for `totalOverdue` if credits make the total smaller than what is overdue. */
  overdueBeforeCredits: string
  payBy: string
  /** The words beside the bank account. */
  nameInvoices: string
}

export const LETTER_TEXTS: Record<InvoiceLanguage, LetterTexts> = {
  en: {
    statement: 'Statement',
    reminder: { 1: 'Payment reminder', 2: 'Second reminder', 3: 'Final notice' },
    asOf: (date) => `As at ${date}, the following is outstanding on your account.`,
    balanced: (date) => `As at ${date}, your account with us stands as follows.`,
    overdue: {
      1: (sum) => `According to our books, ${sum} is overdue. This may simply have been overlooked.`,
      2: (sum) => `We have reminded you before, but according to our books ${sum} is still overdue.`,
      3: (sum) => `Despite our reminders, ${sum} is still unpaid. This is our final notice.`,
    },
    ask: (date) => `Please pay this sum by ${date}.`,
    final: 'If we do not receive your payment by then, we will have to take further steps.',
    crossed: 'If you have paid in the meantime, please disregard this letter.',
    attached: 'Please find the details in the attached letter.',
    invoicesAttached: 'Copies of the invoices are attached, too.',
    paid: 'Paid',
    open: 'Outstanding',
    days: 'Days overdue',
    totalOpen: 'Total outstanding',
    totalOverdue: 'Overdue',
    overdueBeforeCredits: 'Overdue, before credits',
    payBy: 'Please pay by',
    nameInvoices: 'Please quote the invoice numbers with your payment.',
  },
  de: {
    statement: 'Kontoauszug',
    reminder: { 1: 'Zahlungserinnerung', 2: 'Zweite Mahnung', 3: 'Letzte Mahnung' },
    asOf: (date) => `am ${date} war auf Ihrem Konto bei uns Folgendes offen.`,
    balanced: (date) => `am ${date} stand Ihr Konto bei uns wie folgt.`,
    overdue: {
      1: (sum) => `nach unseren Büchern sind ${sum} überfällig. Vielleicht wurde die Zahlung nur übersehen.`,
      2: (sum) => `trotz unserer Erinnerung sind nach unseren Büchern noch ${sum} überfällig.`,
      3: (sum) => `trotz unserer Mahnungen sind ${sum} noch nicht bezahlt. Dies ist unsere letzte Mahnung.`,
    },
    ask: (date) => `Bitte zahlen Sie diesen Betrag bis zum ${date}.`,
    final: 'Geht bis dahin keine Zahlung ein, müssen wir weitere Schritte einleiten.',
    crossed: 'Haben Sie inzwischen gezahlt, so betrachten Sie dieses Schreiben bitte als gegenstandslos.',
    attached: 'Die Einzelheiten finden Sie im beigefügten Schreiben.',
    invoicesAttached: 'Die Rechnungen liegen ebenfalls bei.',
    paid: 'Gezahlt',
    open: 'Offen',
    days: 'Tage überfällig',
    totalOpen: 'Offen gesamt',
    totalOverdue: 'Überfällig',
    overdueBeforeCredits: 'Überfällig, vor Abzug von Guthaben',
    payBy: 'Zahlbar bis',
    nameInvoices: 'Bitte geben Sie bei der Zahlung die Rechnungsnummern an.',
  },
  fr: {
    statement: 'Relevé de compte',
    reminder: { 1: 'Rappel de paiement', 2: 'Deuxième rappel', 3: 'Dernier rappel' },
    asOf: (date) => `Voici ce qui restait ouvert sur votre compte au ${date}.`,
    balanced: (date) => `Voici la situation de votre compte chez nous au ${date}.`,
    overdue: {
      1: (sum) => `Sauf erreur de notre part, ${sum} restent impayés à ce jour. Il s’agit sans doute d’un oubli.`,
      2: (sum) => `Malgré notre rappel, ${sum} restent impayés à ce jour, sauf erreur de notre part.`,
      3: (sum) => `Malgré nos rappels, ${sum} restent toujours impayés. Ceci est notre dernier rappel.`,
    },
    ask: (date) => `Nous vous remercions de régler cette somme au plus tard le ${date}.`,
    final: 'Sans paiement de votre part à cette date, nous devrons engager d’autres démarches.',
    crossed: 'Si vous avez réglé entre-temps, veuillez ne pas tenir compte de ce courrier.',
    attached: 'Vous trouverez le détail dans le courrier ci-joint.',
    invoicesAttached: 'Les factures sont également jointes.',
    paid: 'Réglé',
    open: 'Ouvert',
    days: 'Jours de retard',
    totalOpen: 'Total ouvert',
    totalOverdue: 'Échu',
    overdueBeforeCredits: 'Échu, avant déduction des avoirs',
    payBy: 'À régler d’ici au',
    nameInvoices: 'Merci d’indiquer les numéros de facture lors du paiement.',
  },
  nl: {
    statement: 'Rekeningoverzicht',
    reminder: { 1: 'Betalingsherinnering', 2: 'Tweede herinnering', 3: 'Laatste aanmaning' },
    asOf: (date) => `Op ${date} stond bij ons het volgende voor u open.`,
    balanced: (date) => `Op ${date} was de stand van uw rekening bij ons als volgt.`,
    overdue: {
      1: (sum) =>
        `Volgens onze administratie is de betaaltermijn van ${sum} verstreken. Misschien is de betaling u ontgaan.`,
      2: (sum) => `Ondanks onze herinnering staat volgens onze administratie nog ${sum} open.`,
      3: (sum) => `Ondanks onze herinneringen is ${sum} nog steeds niet betaald. Dit is onze laatste aanmaning.`,
    },
    ask: (date) => `Wij verzoeken u dit bedrag uiterlijk op ${date} te betalen.`,
    final: 'Ontvangen wij uw betaling dan niet, dan moeten wij verdere stappen nemen.',
    crossed: 'Hebt u intussen betaald, dan kunt u deze brief als niet verzonden beschouwen.',
    attached: 'De details vindt u in de bijgevoegde brief.',
    invoicesAttached: 'De facturen zijn ook bijgevoegd.',
    paid: 'Betaald',
    open: 'Open',
    days: 'Dagen te laat',
    totalOpen: 'Totaal open',
    totalOverdue: 'Vervallen',
    overdueBeforeCredits: 'Vervallen, vóór verrekening van tegoeden',
    payBy: 'Te betalen vóór of op',
    nameInvoices: 'Vermeld bij uw betaling de factuurnummers.',
  },
  es: {
    statement: 'Estado de cuenta',
    reminder: { 1: 'Recordatorio de pago', 2: 'Segundo recordatorio', 3: 'Último aviso' },
    asOf: (date) => `A fecha de ${date}, en su cuenta quedaba pendiente lo siguiente.`,
    balanced: (date) => `A fecha de ${date}, el estado de su cuenta con nosotros era el siguiente.`,
    overdue: {
      1: (sum) => `Según nuestros registros, han vencido ${sum}. Quizá se trate solo de un descuido.`,
      2: (sum) => `Pese a nuestro recordatorio, según nuestros registros siguen vencidos ${sum}.`,
      3: (sum) => `Pese a nuestros recordatorios, siguen sin pagar ${sum}. Este es nuestro último aviso.`,
    },
    ask: (date) => `Le rogamos que abone este importe a más tardar el ${date}.`,
    final: 'Si no recibimos su pago en esa fecha, tendremos que tomar otras medidas.',
    crossed: 'Si ya ha realizado el pago, no tenga en cuenta esta carta.',
    attached: 'Encontrará los detalles en la carta adjunta.',
    invoicesAttached: 'También adjuntamos las facturas.',
    paid: 'Pagado',
    open: 'Pendiente',
    days: 'Días de retraso',
    totalOpen: 'Total pendiente',
    totalOverdue: 'Vencido',
    overdueBeforeCredits: 'Vencido, antes de descontar saldos a favor',
    payBy: 'A pagar hasta el',
    nameInvoices: 'Indique los números de factura al realizar el pago.',
  },
  it: {
    statement: 'Estratto conto',
    reminder: { 1: 'Promemoria di pagamento', 2: 'Secondo sollecito', 3: 'Ultimo sollecito' },
    asOf: (date) => `al ${date} sul Suo conto presso di noi risultava aperto quanto segue.`,
    balanced: (date) => `al ${date} la situazione del Suo conto presso di noi era la seguente.`,
    overdue: {
      1: (sum) => `dalle nostre registrazioni risultano scaduti ${sum}. Forse si tratta di una semplice dimenticanza.`,
      2: (sum) => `nonostante il nostro promemoria, dalle nostre registrazioni risultano ancora scaduti ${sum}.`,
      3: (sum) => `nonostante i nostri solleciti, ${sum} non risultano ancora pagati. Questo è l’ultimo sollecito.`,
    },
    ask: (date) => `La preghiamo di versare questo importo entro il ${date}.`,
    final: 'Se non riceveremo il pagamento entro tale data, dovremo intraprendere ulteriori passi.',
    crossed: 'Se nel frattempo ha già pagato, La preghiamo di non tenere conto di questa lettera.',
    attached: 'I dettagli sono nella lettera allegata.',
    invoicesAttached: 'In allegato trova anche le fatture.',
    paid: 'Pagato',
    open: 'Aperto',
    days: 'Giorni di ritardo',
    totalOpen: 'Totale aperto',
    totalOverdue: 'Scaduto',
    overdueBeforeCredits: 'Scaduto, al lordo dei crediti',
    payBy: 'Da pagare entro il',
    nameInvoices: 'La preghiamo di indicare i numeri delle fatture nel pagamento.',
  },
  pl: {
    statement: 'Zestawienie należności',
    reminder: { 1: 'Przypomnienie o płatności', 2: 'Drugie przypomnienie', 3: 'Ostateczne wezwanie do zapłaty' },
    asOf: (date) => `na dzień ${date} na Państwa koncie u nas pozostawały nierozliczone następujące pozycje.`,
    balanced: (date) => `na dzień ${date} stan Państwa konta u nas był następujący.`,
    overdue: {
      1: (sum) => `według naszych ksiąg zaległość wynosi ${sum}. Być może płatność została przeoczona.`,
      2: (sum) => `mimo naszego przypomnienia zaległość według naszych ksiąg nadal wynosi ${sum}.`,
      3: (sum) => `mimo naszych przypomnień kwota ${sum} nie została zapłacona. To ostateczne wezwanie do zapłaty.`,
    },
    ask: (date) => `Prosimy o zapłatę tej kwoty do ${date}.`,
    final: 'W razie braku wpłaty w tym terminie będziemy zmuszeni podjąć dalsze kroki.',
    crossed: 'Jeśli płatność została już dokonana, prosimy uznać to pismo za nieaktualne.',
    attached: 'Szczegóły znajdują się w załączonym piśmie.',
    invoicesAttached: 'Załączamy również faktury.',
    paid: 'Zapłacono',
    open: 'Do zapłaty',
    days: 'Dni po terminie',
    totalOpen: 'Razem do zapłaty',
    totalOverdue: 'Po terminie',
    overdueBeforeCredits: 'Po terminie, przed odjęciem nadpłat',
    payBy: 'Prosimy zapłacić do',
    nameInvoices: 'Przy płatności prosimy podać numery faktur.',
  },
}

/** A letter's title in its language. */
export const letterTitle = (kind: LetterKind, level: ReminderLevel | null, lang: InvoiceLanguage): string =>
  kind === 'statement' || level === null ? LETTER_TEXTS[lang].statement : LETTER_TEXTS[lang].reminder[level]
