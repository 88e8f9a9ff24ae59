import { ms, times } from '../row.ts'
import { markdown } from '../table.ts'
import type { ScreenTimes } from './measure-screens.ts'

const HEAD = ['Action', 'Unslowed', 'Plain', 'Slowed', 'Plain', 'Ratio', 'Asked', 'Long tasks', 'Server', 'Met']
const NUMBERS = new Set([1, 2, 3, 4, 5, 6, 7, 8])

/** Long tasks are those of the slowed screen; the server's time is that of the other, whose requests nothing delays. */
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
