import { percent, type Row, times } from './row.ts'

const HEAD = [
  '',
  'Workload',
  'p50',
  'p95',
  "Limit's",
  'Ratio',
  'Asked',
  'Per second',
  "Limit's",
  'Share',
  'Asked',
  'Met',
]
const NUMBERS = new Set([2, 3, 4, 5, 6, 7, 8, 9, 10])

const cells = (row: Row): string[] => [
  row.id,
  row.title,
  row.p50 ?? '',
  row.p95 ?? '',
  row.limit ?? '',
  row.ratio === undefined ? '' : times(row.ratio),
  row.ratioAsked ?? '',
  row.rate ?? '',
  row.limitRate ?? '',
  row.share === undefined ? '' : percent(row.share),
  row.shareAsked ?? '',
  row.met === undefined ? '' : row.met ? 'yes' : 'NO',
]

/** The table as text for a terminal. */
export function textTable(rows: readonly Row[]): string {
  const lines = [HEAD, ...rows.map(cells)]
  const widths = HEAD.map((_, n) => Math.max(...lines.map((line) => line[n]!.length)))
  return lines
    .map((line) =>
      line
        .map((cell, n) => (NUMBERS.has(n) ? cell.padStart(widths[n]!) : cell.padEnd(widths[n]!)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** The table as Markdown for the docs. */
export function markdownTable(rows: readonly Row[]): string {
  return markdown(
    HEAD,
    rows.map((row) => cells(row).map((cell) => (cell === 'NO' ? '**no**' : cell))),
    NUMBERS,
  )
}

export function markdown(head: readonly string[], lines: readonly string[][], right: ReadonlySet<number>): string {
  const line = (parts: readonly string[]) => `| ${parts.join(' | ')} |`
  return [line(head), line(head.map((_, n) => (right.has(n) ? '--:' : '---'))), ...lines.map(line)].join('\n')
}
