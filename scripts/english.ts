// Counts the sentences that break the rules of CONTRIBUTING.md, 'English'. `npm run english` prints the counts. `npm
// run english -- what docs/manual` prints the sentences that break the rule 'what' in these files. `--keep` lowers the
// limits in test/english.json to the counts.
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const project = path.resolve(import.meta.dirname, '..')
const LIMITS = path.join(project, 'test/english.json')

/** A sentence of a comment, of a page of the docs or of a test's title. `line` is the first line of its paragraph. */
type Sentence = { kind: Kind; file: string; line: number; text: string }
type Kind = 'comments' | 'docs' | 'titles'
type Paragraph = { line: number; text: string }

/** The rules that a script can check. A question may begin with 'What', 'Who' or 'Where'. */
const RULES: Record<string, (text: string) => boolean> = {
  what: (text) => /^whatever\b|^what\b[^?]*$/i.test(text),
  of: (text) => /^of\b/i.test(text),
  who: (text) => /^whoever\b|^whom?\b[^?]*$/i.test(text),
  where: (text) => /\bwhere\b/i.test(text) && !text.endsWith('?'),
}
const LONGEST_LINE = 120
const ENTRY = /^\s*(?:[-*>]|\d+\.)\s+/

const files = (...patterns: string[]) =>
  globSync(patterns, {
    cwd: project,
    exclude: (name) => /node_modules|dist|\.stryker-tmp|^data$/.test(path.basename(name)),
  })
    .map((file) => file.replaceAll(path.sep, '/'))
    .sort()
const code = files('{packages,scripts,test,bench}/**/*.{ts,tsx,mjs,sql}', '*.ts')
const pages = files('{README,CONTRIBUTING,SECURITY,CODE_OF_CONDUCT}.md', 'docs/**/*.md', '.github/**/*.md')

/** Joins consecutive lines to one text. An entry of a list begins a new text, and an `undefined` line ends one. */
function paragraphs(lines: (string | undefined)[]): Paragraph[] {
  const found: Paragraph[] = []
  let isOpen = false
  for (const [at, line] of lines.entries()) {
    const text = line?.replace(ENTRY, '').trim()
    if (text && isOpen && !ENTRY.test(line!)) found.at(-1)!.text += ` ${text}`
    else if (text) found.push({ line: at + 1, text })
    isOpen = Boolean(text)
  }
  return found
}

export function comments(source: string): Paragraph[] {
  return paragraphs(
    source.split('\n').flatMap((line) => {
      const whole = /^\s*(?:\/\/|--|\/\*+|\*(?!\/))\s?(.*?)(?:\*\/)?\s*$/.exec(line)?.[1]
      return [whole ?? /\s(?:\/\/|--)\s(.*)$/.exec(line)?.[1]]
    }),
  )
}

export function titles(source: string): Paragraph[] {
  const title = /\b(?:test|testInTurn|describe)(?:\.\w+)*\(\s*(['"`])((?:(?!\1).)+)\1,/g
  return [...source.matchAll(title)].map((match) => ({
    line: source.slice(0, match.index).split('\n').length,
    text: match[2]!,
  }))
}

/** The lines of a page. Blocks of code are `undefined`. */
function lines(page: string): (string | undefined)[] {
  let isTyped = false
  return page.split('\n').map((line) => {
    const isFence = line.startsWith('```')
    if (isFence) isTyped = !isTyped
    return isFence || isTyped ? undefined : line
  })
}
const isTable = (line = '') => line.startsWith('|')

/** The texts of a page: its paragraphs, the entries of its lists and the cells of its tables, without headings. */
export function prose(page: string): Paragraph[] {
  const all = lines(page)
  const cells = all.flatMap((line, at) =>
    isTable(line)
      ? line!.split('|').flatMap((cell) => (/\w/.test(cell) ? [{ line: at + 1, text: cell.trim() }] : []))
      : [],
  )
  return [...paragraphs(all.map((line) => (isTable(line) || line?.startsWith('#') ? undefined : line))), ...cells]
}

const split = (text: string) => text.replace(/^\*\*|(?<=[.!?] )\*\*/g, '').split(/(?<=[.!?])["”')*]*\s+(?=\W*[A-Z])/)
const read = (file: string) => readFileSync(path.join(project, file), 'utf8')
const sentencesOf = (kind: Kind, all: string[], take: (text: string) => Paragraph[]): Sentence[] =>
  all.flatMap((file) =>
    take(read(file)).flatMap(({ line, text }) => split(text).map((one) => ({ kind, file, line, text: one }))),
  )

export const sentences = (): Sentence[] => [
  ...sentencesOf('comments', code, comments),
  ...sentencesOf('docs', pages, prose),
  ...sentencesOf(
    'titles',
    code.filter((file) => file.endsWith('.test.ts') || file.endsWith('.test.tsx')),
    titles,
  ),
]

/** The lines of the pages that are too long. Tables and links may be longer. */
const longLines = (): Sentence[] =>
  pages.flatMap((file) =>
    lines(read(file)).flatMap((text = '', at) =>
      text.length > LONGEST_LINE && !/^\s*(\||!?\[|<)/.test(text) ? [{ kind: 'docs', file, line: at + 1, text }] : [],
    ),
  )

/** The sentences that break each rule. The names of the rules are such as `comments: what`. */
export function broken(all = sentences()): Record<string, Sentence[]> {
  const kinds: Kind[] = ['comments', 'docs', 'titles']
  const found = kinds.flatMap((kind) =>
    Object.entries(RULES).map(([rule, breaks]) => [
      `${kind}: ${rule}`,
      all.filter((sentence) => sentence.kind === kind && breaks(sentence.text)),
    ]),
  )
  return { ...Object.fromEntries(found), 'docs: long': longLines() }
}

export const limits = (): Record<string, number> => JSON.parse(readFileSync(LIMITS, 'utf8'))

if (import.meta.main) {
  const words = process.argv.slice(2).filter((word) => !word.startsWith('--'))
  const all = sentences()
  const found = broken(all)
  const now = Object.fromEntries(Object.entries(found).map(([rule, ones]) => [rule, ones.length]))
  if (process.argv.includes('--keep')) {
    const before = existsSync(LIMITS) ? limits() : {}
    const lower = Object.entries(now).map(([rule, count]) => [rule, Math.min(count, before[rule] ?? count)])
    writeFileSync(LIMITS, `${JSON.stringify(Object.fromEntries(lower), null, 2)}\n`)
  }
  if (words.length === 0)
    for (const [rule, count] of Object.entries(now)) {
      const beside = all.filter(({ kind }) => rule.startsWith(kind)).length
      console.log(
        `${rule.padEnd(18)}${String(count).padStart(5)} of ${beside} (${((100 * count) / beside).toFixed(1)}%)`,
      )
    }
  else
    for (const [rule, ones] of Object.entries(found))
      for (const { file, line, text } of ones)
        if (words.every((word) => `${rule} ${file}`.includes(word))) console.log(`${file}:${line} ${rule}: ${text}`)
}
