/** Forms of companies, which people and banks write or leave out. */
const FORMS = new Set(
  `GMBH MBH UG AG KG KGAA OHG EK GBR CO INC LTD LIMITED LLC PLC LLP BV NV VOF CV SA SAS SARL SRL SPA SL SLU SP Z O
  ZOO OO SPOLKA SRO AS A S OY AB APS KFT DOO EOOD UAB SIA OU THE UND AND ET DE VAN DER DEN DHR MEVR MR MRS HERR FRAU`.split(
    /\s+/,
  ),
)
const MAX_NAME = 255

/** A name's words in one spelling: without accents, `ue` as `u`, without the forms of companies. */
function wordsOf(name: string): string[] {
  return name
    .slice(0, MAX_NAME)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .replaceAll('ß', 'SS')
    .replaceAll('Ł', 'L')
    .replaceAll('Ø', 'O')
    .replace(/([AOU])E/g, '$1')
    .replace(/(?<=\b[A-Z])\.(?=[A-Z]\b)/g, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !FORMS.has(word))
}

/** Banks cut names. */
const ENOUGH_OF_A_WORD = 4
const isWord = (one: string, other: string) =>
  one === other ||
  (one.length >= ENOUGH_OF_A_WORD && other.startsWith(one)) ||
  (other.length >= ENOUGH_OF_A_WORD && one.startsWith(other))

/** Whether two names may be of the same company or person: all words of the shorter one are in the other. */
export function isSameName(one: string, other: string): boolean {
  const [few, many] = [wordsOf(one), wordsOf(other)].toSorted((a, b) => a.length - b.length) as [string[], string[]]
  return few.some((word) => word.length >= 3) && few.every((word) => many.some((of) => isWord(word, of)))
}
