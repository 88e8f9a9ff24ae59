// Names of colours and categories in German, French, Dutch, Spanish, Italian and Polish, without accents.

const COLOURS: Readonly<Record<string, string>> = {
  Black: 'schwarz, noir, noire, zwart, negro, negra, nero, nera, czarny, czarna',
  White: 'weiss, blanc, blanche, wit, blanco, blanca, bianco, bianca, bialy, biala',
  Blue: 'blau, bleu, bleue, blauw, azul, blu, azzurro, niebieski, niebieska',
  Green: 'grun, gruen, vert, verte, groen, verde, zielony, zielona',
  Red: 'rot, rouge, rood, rojo, roja, rosso, rossa, czerwony, czerwona',
  Yellow: 'gelb, jaune, geel, amarillo, amarilla, giallo, gialla, zolty, zolta',
  Pink: 'rosa, rose, roze, rosado, rosada, rozowy, rozowa',
  Purple: 'lila, lilas, violett, violet, violette, paars, morado, morada, purpura, viola, fioletowy, fioletowa',
  Grey: 'gray, grau, gris, grijs, grigio, grigia, szary, szara',
  Silver: 'silber, argent, zilver, plata, plateado, argento, srebrny, srebrna',
  Gold: 'or, goud, oro, dorado, dorada, zloty, zlota',
  Orange: 'oranje, naranja, arancione, pomaranczowy, pomaranczowa',
}
const CATEGORIES: Readonly<Record<string, string>> = {
  Phones:
    'smartphones, smartphone, mobile phones, handys, handy, telefone, mobiltelefone, telephones, telephone, telephones portables, portables, telefoons, telefoon, mobiele telefoons, gsm, telefonos, moviles, movil, telefonos moviles, telefoni, cellulari, cellulare, telefony, telefon, telefony komorkowe, smartfony, smartfon',
  Tablets: 'tablette, tablettes, tabletas, tableta, tablety',
  Laptops: 'notebooks, ordinateurs portables, portatiles, portatili, laptopy, laptop, notebook',
  Watches: 'smartwatches, uhren, smartwatch, montres, horloges, relojes, orologi, zegarki',
  Headphones: 'kopfhorer, kopfhoerer, casques, ecouteurs, koptelefoons, auriculares, cuffie, sluchawki',
  Accessories: 'zubehor, zubehoer, accessoires, accesorios, accessori, akcesoria',
}

const byWord = (names: Readonly<Record<string, string>>) =>
  new Map(Object.entries(names).flatMap(([name, words]) => words.split(', ').map((word) => [word, name] as const)))
const WORDS = { colour: byWord(COLOURS), category: byWord(CATEGORIES) }

/** The words above that are English. Nobody needs to be offered another word for them. */
const ENGLISH = new Set(
  'gray, rose, violet, gsm, smartphones, smartphone, mobile phones, notebooks, notebook, laptop, smartwatches, smartwatch'.split(
    ', ',
  ),
)

const plainWord = (name: string) =>
  name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ł', 'l').replaceAll('ß', 'ss').trim()

/** The English name of a colour or category that is written in another language; undefined if none is known. */
export function inEnglish(field: string, name: string): string | undefined {
  if (name.length > 40 || (field !== 'colour' && field !== 'category')) return undefined
  return WORDS[field].get(plainWord(name))
}

/** Whether the name is a colour or category in a language other than English. */
export const isForeign = (field: string, name: string): boolean =>
  inEnglish(field, name) !== undefined && !ENGLISH.has(plainWord(name))

const ENGLISH_COLOURS = new Map(Object.keys(COLOURS).map((name) => [name.toLowerCase(), name]))

/** The English names of the colours among the words of a name: `Blue` for `Space Blue` and for `Blau`. */
export const coloursIn = (name: string): Set<string> =>
  new Set(
    name
      .slice(0, 100)
      .split(/[^\p{L}]+/u)
      .flatMap((word) => inEnglish('colour', word) ?? ENGLISH_COLOURS.get(word.toLowerCase()) ?? []),
  )

/** Words that makers put in front of a colour. */
const SHADES: ReadonlySet<string> = new Set(
  (
    'space jet midnight pacific sierra alpine rose deep phantom cosmic mystic sky navy dark light mint matte pearl ocean ' +
    'forest royal icy glacier aura prism natural burgundy cloud desert product'
  ).split(' '),
)
/** Colours that makers have invented, and that nothing else of a phone is called. */
const INVENTED: ReadonlySet<string> = new Set('graphite midnight starlight obsidian lavender coral bronze'.split(' '))

/** Whether the words are a colour together: a known one, with the words that makers put in front of it. */
export function isColour(words: string): boolean {
  const list = words.slice(0, 100).toLowerCase().split(' ')
  const last = list.pop() ?? ''
  const isKnown = /^\p{L}+$/u.test(last) && (coloursIn(last).size > 0 || (list.length === 0 && INVENTED.has(last)))
  return isKnown && list.every((word) => SHADES.has(word))
}
