import { type InvoiceLanguage, languageOfCountry } from '@backstock/contract/invoice-language.ts'
import type { Treatment } from '@backstock/contract/treatment.ts'
import type { InvoiceData, InvoiceLine } from './data.ts'

type Worded = Extract<Treatment, 'margin' | 'reverse_charge' | 'intra_community' | 'export'>

/** The words for a line without VAT, and the provision to which they refer. */
type Reason = readonly [words: string, law?: string]

/**
 * The words that an invoice must have for a line without VAT (Directive 2006/112/EC, article 226, 11 to 14). They are
 * those of the directive's own version in each language, if it has them.
 */
const WORDS: Record<InvoiceLanguage, Record<Worded, Reason>> = {
  en: {
    margin: ['Margin scheme - Second-hand goods'],
    reverse_charge: ['Reverse charge'],
    intra_community: ['Intra-Community supply', 'Art. 138 Directive 2006/112/EC'],
    export: ['Export', 'Art. 146 Directive 2006/112/EC'],
  },
  de: {
    margin: ['Gebrauchtgegenstände/Sonderregelung'],
    reverse_charge: ['Steuerschuldnerschaft des Leistungsempfängers'],
    intra_community: ['Innergemeinschaftliche Lieferung', 'Art. 138 Richtlinie 2006/112/EG'],
    export: ['Ausfuhrlieferung', 'Art. 146 Richtlinie 2006/112/EG'],
  },
  fr: {
    margin: ['Régime particulier - Biens d’occasion'],
    reverse_charge: ['Autoliquidation'],
    intra_community: ['Livraison intracommunautaire', 'art. 138 directive 2006/112/CE'],
    export: ['Exportation', 'art. 146 directive 2006/112/CE'],
  },
  nl: {
    margin: ['Bijzondere regeling - gebruikte goederen'],
    reverse_charge: ['Btw verlegd'],
    intra_community: ['Intracommunautaire levering', 'art. 138 Richtlijn 2006/112/EG'],
    export: ['Uitvoer', 'art. 146 Richtlijn 2006/112/EG'],
  },
  es: {
    margin: ['Régimen especial de los bienes usados'],
    reverse_charge: ['Inversión del sujeto pasivo'],
    intra_community: ['Entrega intracomunitaria', 'art. 138 Directiva 2006/112/CE'],
    export: ['Exportación', 'art. 146 Directiva 2006/112/CE'],
  },
  it: {
    margin: ['Regime del margine - Beni usati'],
    reverse_charge: ['Inversione contabile'],
    intra_community: ['Cessione intracomunitaria', 'art. 138 direttiva 2006/112/CE'],
    export: ['Esportazione', 'art. 146 direttiva 2006/112/CE'],
  },
  pl: {
    margin: ['Procedura marży - towary używane'],
    reverse_charge: ['Odwrotne obciążenie'],
    intra_community: ['Wewnątrzwspólnotowa dostawa towarów', 'art. 138 dyrektywy 2006/112/WE'],
    export: ['Eksport', 'art. 146 dyrektywy 2006/112/WE'],
  },
}

/** The words for goods under the margin scheme (article 226 (14)). */
export const marginWords = (lang: InvoiceLanguage): string => WORDS[lang].margin[0]

const hasWords = (treatment: Treatment): treatment is Worded => Object.hasOwn(WORDS.en, treatment)

/** Why a line has no VAT: the law's words, else the trader's own; undefined if it needs no reason. */
function reasonOf({ treatment, vat_rate, vat_name }: InvoiceLine, lang: InvoiceLanguage): Reason | undefined {
  if (vat_rate > 0) return undefined
  if (treatment !== undefined && hasWords(treatment)) return WORDS[lang][treatment]
  return vat_name === undefined ? undefined : [vat_name]
}

/**
 * The words without the provision, for a line of an invoice with several reasons. The provision is printed with the
 * totals.
 */
export const reasonAtLine = (line: InvoiceLine, lang: InvoiceLanguage): string | undefined => reasonOf(line, lang)?.[0]

/** The texts in their order, each once. */
const once = (said: readonly string[]) => [...new Set(said)]

/** The reason in the invoice's language, and in the seller's language if that is another one. */
function inBoth(line: InvoiceLine, lang: InvoiceLanguage, { seller }: InvoiceData, joint: string): string[] {
  const home = languageOfCountry(seller.address?.country_code) ?? lang
  return once([lang, home].flatMap((one) => reasonOf(line, one)?.join(joint) ?? []))
}

/**
 * The reasons of all lines, or of those with one treatment. Each reason appears once, as one text in both languages.
 */
export function reasonsOf(data: InvoiceData, lang: InvoiceLanguage, treatment?: Treatment): string[] {
  const meant = data.lines.filter((line) => treatment === undefined || line.treatment === treatment)
  return once(meant.map((line) => inBoth(line, lang, data, ', ').join(' / ')).filter((reason) => reason !== ''))
}

/** The reasons as they are printed with the totals: a row for each language. */
export function reasonRows(data: InvoiceData, lang: InvoiceLanguage, treatment: Treatment | undefined): string[] {
  const meant = data.lines.filter((line) => treatment === undefined || line.treatment === treatment)
  return once(meant.flatMap((line) => inBoth(line, lang, data, ', ')))
}

/** Whether everything is sold under the margin scheme. Then no line and no total mentions VAT. */
export const isAllMargin = ({ lines }: InvoiceData) => lines.every(({ treatment }) => treatment === 'margin')
