import { ms, times } from '../row.ts'
import { markdown } from '../table.ts'
import type { ScreenTimes } from './measure-screens.ts'

const HEAD = ['Action', 'Unslowed', 'Plain', 'Slowed', 'Plain', 'Ratio', 'Asked', 'Long tasks', 'Server', 'Met']
const NUMBERS = new Set([1, 2, 3, 4, 5, 6, 7, 8])

/**
 * The table of the screens. Long tasks are those with the slowed CPU; the server's time is that without slowing,
 * because then nothing delays the requests.
 */
export function screensTable(found: readonly ScreenTimes[]): string {
  const lines = found.map(({ title, asked, unslowed, slowed }) => {
    const { real, plain } = slowed
    const { serverMs } = unslowed.real
    return [
      ...[title, ms(unslowed.real.ms), ms(unslowed.plain.ms), ms(real.ms), ms(plain.ms), times(real.ms / plain.ms)],
      ...[asked === undefined ? '' : ms(asked), String(real.longTasks), serverMs === null ? '' : ms(serverMs)],
      asked === undefined ? '' : real.ms <= asked ? 'yes' : '**no**',
    ]
  })
  return markdown(HEAD, lines, NUMBERS)
}
