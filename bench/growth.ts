import { workload } from './all-workloads.ts'
import { type Bench, openBench } from './bench.ts'
import { ms, perSecond } from './row.ts'
import { sizeOf } from './size.ts'
import { markdown } from './table.ts'

const SIZES = [10_000, 100_000, 1_000_000]
const MOST = 1.5

/**
 * The workloads whose times must hardly grow with the number of items. For imports and exports the time of a row
 * counts.
 */
const GROWING = [
  { id: 'S1', title: 'Stock list' },
  { id: 'S7', title: 'Stock record' },
  { id: 'S4w', title: 'Search by a whole IMEI' },
  { id: 'S6', title: 'Quick order of 500' },
  { id: 'S9', title: 'Basket of 250' },
  { id: 'S10', title: 'Sale of 100' },
  { id: 'S13', title: 'Export', perRow: true },
  { id: 'S11', title: 'Import, new rows', perRow: true },
]

/** A line of the table: the p50 at each of SIZES in ms, or in µs for each row. */
export type Growth = { title: string; perRow: boolean; values: number[] }

/** Measures these workloads at all sizes in turn, with one client at a time. */
export async function measureGrowth(say: (line: string) => void): Promise<Growth[]> {
  const found: Growth[] = []
  const benches: Bench[] = []
  try {
    for (const rows of SIZES) benches.push(await openBench(sizeOf(rows), say))
    for (const { id, title, perRow = false } of GROWING) {
      const values: number[] = []
      for (const bench of benches) {
        say(`${id} at ${bench.size.rows.toLocaleString('en')} items …`)
        const [row] = await workload(id).measure(bench, 1)
        values.push(perRow ? 1e6 / row!.figures['rate']! : row!.figures['p50']!)
      }
      found.push({ title, perRow, values })
    }
  } finally {
    for (const bench of benches) await bench.close()
  }
  return found
}

/** The time at the largest size divided by that at the smallest. */
const factor = ({ values }: Growth) => values.at(-1)! / values[0]!

export function growthTable(growth: readonly Growth[]): string {
  const shown = ({ perRow }: Growth, value: number) => (perRow ? perSecond(1e6 / value, ' rows/s') : ms(value))
  return markdown(
    ['Workload', ...SIZES.map((rows) => rows.toLocaleString('en')), 'Grows', 'Asked', 'Met'],
    growth.map((line) => [
      line.title,
      ...line.values.map((value) => shown(line, value)),
      `${factor(line).toFixed(2)}-fold`,
      `${MOST}-fold`,
      factor(line) <= MOST ? 'yes' : '**no**',
    ]),
    new Set([1, 2, 3, 4, 5]),
  )
}

const WIDTH = 720
const HEIGHT = 420
const LEFT = 70
const RIGHT = 200
const TOP = 20
const BOTTOM = 40
const INKS = ['#1f77b4', '#d62728', '#2ca02c', '#9467bd', '#ff7f0e', '#8c564b']

/**
 * Draws the table as an SVG with logarithmic axes: a time that does not depend on the number of items is a level line.
 */
export function growthPlot(growth: readonly Growth[]): string {
  const lines = growth.filter((line) => !line.perRow)
  const all = lines.flatMap((line) => line.values.map(Math.log10))
  const [low, high] = [Math.floor(Math.min(...all)), Math.ceil(Math.max(...all))]
  const x = (n: number) => LEFT + (n * (WIDTH - LEFT - RIGHT)) / (SIZES.length - 1)
  const y = (value: number) => TOP + ((high - Math.log10(value)) * (HEIGHT - TOP - BOTTOM)) / (high - low)
  const text = (at: [number, number], anchor: string, words: string, ink = '#666') =>
    `<text x="${at[0].toFixed(1)}" y="${at[1].toFixed(1)}" text-anchor="${anchor}" fill="${ink}">${words}</text>`
  const rule = (value: number) =>
    `<path d="M${LEFT} ${y(value).toFixed(1)}H${WIDTH - RIGHT}" stroke="#ddd"/>${text([LEFT - 8, y(value) + 4], 'end', `${value} ms`)}`
  const labels = spread(lines.map((line) => y(line.values.at(-1)!)))
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="13">`,
    `<title>Median time of a request by the number of stock items</title>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    ...Array.from({ length: high - low + 1 }, (_, n) => rule(10 ** (low + n))),
    ...SIZES.map((rows, n) => text([x(n), HEIGHT - 14], 'middle', `${rows.toLocaleString('en')} items`)),
    ...lines.map((line, n) => {
      const points = line.values.map((value, at) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`).join(' ')
      const ink = INKS[n % INKS.length]!
      return `<polyline points="${points}" fill="none" stroke="${ink}" stroke-width="2"/>${text([WIDTH - RIGHT + 8, labels[n]! + 4], 'start', line.title, ink)}`
    }),
    '</svg>\n',
  ].join('\n')
}

/** Moves labels apart that would overlap. */
function spread(heights: readonly number[]): number[] {
  const moved: number[] = []
  let last = Number.NEGATIVE_INFINITY
  for (const [height, n] of heights.map((height, n) => [height, n] as const).sort((a, b) => a[0] - b[0])) {
    last = Math.max(height, last + 16)
    moved[n] = last
  }
  return moved
}
