/** Legal forms of companies and other words that people and banks add to names or leave out. */
const FORMS = new Set(
  `GMBH MBH UG AG KG KGAA OHG EK GBR CO INC LTD LIMITED LLC PLC LLP BV NV VOF CV SA SAS SARL SRL SPA SL SLU SP Z O
  ZOO OO SPOLKA SRO AS A S OY AB APS KFT DOO EOOD UAB SIA OU THE UND AND ET DE VAN DER DEN DHR MEVR MR MRS HERR FRAU`.split(
    /\s+/,
  ),
)
const MAX_NAME = 255

/** The words of a name in one spelling: without accents, with `u` for `ue`, and without the words of `FORMS`. */
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

/** The letters from which on the start of a word counts as the word, because banks cut names. */
const ENOUGH_OF_A_WORD = 4
const isWord = (one: string, other: string) =>
  one === other ||
  (one.length >= ENOUGH_OF_A_WORD && other.startsWith(one)) ||
  (other.length >= ENOUGH_OF_A_WORD && one.startsWith(other))

/** Whether two names may belong to the same company or person: the longer one has all words of the shorter one. */
export function isSameName(one: string, other: string): boolean {
  const [few, many] = [wordsOf(one), wordsOf(other)].toSorted((a, b) => a.length - b.length) as [string[], string[]]
  return few.some((word) => word.length >= 3) && few.every((word) => many.some((of) => isWord(word, of)))
}
