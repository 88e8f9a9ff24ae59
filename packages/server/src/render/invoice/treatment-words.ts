import { type InvoiceLanguage, languageOfCountry } from '@backstock/contract/invoice-language.ts'
import type { Treatment } from '@backstock/contract/treatment.ts'
import type { InvoiceData, InvoiceLine } from './data.ts'

type Worded = Extract<Treatment, 'margin' | 'reverse_charge' | 'intra_community' | 'export'>

/**
 * What an invoice must say of a line without VAT (Directive 2006/112/EC, article 226, 11 to 14), in the words of the
 * directive's own versions where it gives them.
 */
const WORDS: Record<InvoiceLanguage, Record<Worded, string>> = {
  en: {
    margin: 'Margin scheme - Second-hand goods',
    reverse_charge: 'Reverse charge',
    intra_community: 'Intra-Community supply, Art. 138 Directive 2006/112/EC',
    export: 'Export, Art. 146 Directive 2006/112/EC',
  },
  de: {
    margin: 'Gebrauchtgegenstände/Sonderregelung',
    reverse_charge: 'Steuerschuldnerschaft des Leistungsempfängers',
    intra_community: 'Innergemeinschaftliche Lieferung, Art. 138 Richtlinie 2006/112/EG',
    export: 'Ausfuhrlieferung, Art. 146 Richtlinie 2006/112/EG',
  },
  fr: {
    margin: 'Régime particulier - Biens d’occasion',
    reverse_charge: 'Autoliquidation',
    intra_community: 'Livraison intracommunautaire, art. 138 directive 2006/112/CE',
    export: 'Exportation, art. 146 directive 2006/112/CE',
  },
  nl: {
    margin: 'Bijzondere regeling - gebruikte goederen',
    reverse_charge: 'Btw verlegd',
    intra_community: 'Intracommunautaire levering, art. 138 Richtlijn 2006/112/EG',
    export: 'Uitvoer, art. 146 Richtlijn 2006/112/EG',
  },
  es: {
    margin: 'Régimen especial de los bienes usados',
    reverse_charge: 'Inversión del sujeto pasivo',
    intra_community: 'Entrega intracomunitaria, art. 138 Directiva 2006/112/CE',
    export: 'Exportación, art. 146 Directiva 2006/112/CE',
  },
  it: {
    margin: 'Regime del margine - Beni usati',
    reverse_charge: 'Inversione contabile',
    intra_community: 'Cessione intracomunitaria, art. 138 direttiva 2006/112/CE',
    export: 'Esportazione, art. 146 direttiva 2006/112/CE',
  },
  pl: {
    margin: 'Procedura marży - towary używane',
    reverse_charge: 'Odwrotne obciążenie',
    intra_community: 'Wewnątrzwspólnotowa dostawa towarów, art. 138 dyrektywy 2006/112/WE',
    export: 'Eksport, art. 146 dyrektywy 2006/112/WE',
  },
}

const hasWords = (treatment: Treatment): treatment is Worded => Object.hasOwn(WORDS.en, treatment)

/** Why a line bears no VAT: the law in one language, else the trader’s own words; undefined where it needs no reason. */
export function reasonAtLine(
  { treatment, vat_rate, vat_name }: InvoiceLine,
  lang: InvoiceLanguage,
): string | undefined {
  if (vat_rate > 0) return undefined
  return treatment !== undefined && hasWords(treatment) ? WORDS[lang][treatment] : vat_name
}

/** The same for the totals: in the invoice's language and, where that is another, the seller's. */
function reasonOf(line: InvoiceLine, lang: InvoiceLanguage, { seller }: InvoiceData): string | undefined {
  const home = languageOfCountry(seller.address?.country_code) ?? lang
  const said = [reasonAtLine(line, lang), reasonAtLine(line, home)].filter((words) => words !== undefined)
  return said.length > 0 ? [...new Set(said)].join(' / ') : undefined
}

/** Each reason once, of all lines or of those under one treatment. */
export function reasonsOf(data: InvoiceData, lang: InvoiceLanguage, treatment?: Treatment): string[] {
  const meant = data.lines.filter((line) => treatment === undefined || line.treatment === treatment)
  return [...new Set(meant.flatMap((line) => reasonOf(line, lang, data) ?? []))]
}

/** Whether nothing but margin goods is sold: then no line and no total speaks of VAT. */
export const isAllMargin = ({ lines }: InvoiceData) => lines.every(({ treatment }) => treatment === 'margin')
