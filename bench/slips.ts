import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { percent, type Row, times } from './row.ts'

const FILE = path.join(import.meta.dirname, 'kept-ratios.json')
/** A workload has slipped if it takes this many times as long as before, or if its rate is this many times lower. */
const SLIP = 1.25

/** A line of the table: `ratio` compares its time with the limit's time, `share` its rate with the limit's rate. */
export type Line = { id: string; title: string; ratio?: number; share?: number }
/** The lines of a release, with its version, its day, and the number of items. */
export type Kept = { version: string; items: number; day: string; lines: Line[] }

/**
 * Identifies a line. Numbers in the title are left out, because the number of exported rows depends on the workloads
 * before.
 */
export const nameOf = ({ id, title }: Pick<Line, 'id' | 'title'>) => `${id} ${title.replace(/ [\d,]+/g, '')}`
const rounded = (value: number) => Number(value.toFixed(3))

/** Takes the quickest requests and the best turns, because other work on the machine hardly slows these. */
export const linesOf = (rows: readonly Row[]): Line[] =>
  rows.flatMap(({ id, title, share, figures: { quickRatio, quickShare = share } }) => {
    const line: Line = { id, title }
    if (quickRatio !== undefined) line.ratio = rounded(quickRatio)
    if (quickShare !== undefined) line.share = rounded(quickShare)
    return Object.keys(line).length > 2 ? [line] : []
  })

/** The lines that have slipped or are missing now, by id and title, each with a sentence about it. */
export function slipsOf({ version, lines }: Kept, now: readonly Line[]): Map<string, string> {
  const found = new Map(now.map((line) => [nameOf(line), line]))
  const slips = new Map<string, string>()
  for (const was of lines) {
    const name = nameOf(was)
    const is = found.get(name)
    const words = is ? slipOf(was, is) : ['was not measured']
    if (words.length) slips.set(name, `${name}: ${words.join(', ')} (${version})`)
  }
  return slips
}

function slipOf(was: Line, is: Line): string[] {
  const words: string[] = []
  if (was.ratio !== undefined && !(is.ratio! <= was.ratio * SLIP))
    words.push(`${times(is.ratio ?? Number.NaN)} the limit's time, it was ${times(was.ratio)}`)
  if (was.share !== undefined && !(is.share! * SLIP >= was.share))
    words.push(`${percent(is.share ?? Number.NaN)} of the limit's rate, it was ${percent(was.share)}`)
  return words
}

export const keptRatios = (): Kept => JSON.parse(readFileSync(FILE, 'utf8'))
export function keepRatios(kept: Kept): void {
  writeFileSync(FILE, `${JSON.stringify(kept, null, 2)}\n`)
}
