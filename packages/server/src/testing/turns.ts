/** Whether this is a full run, in which tests repeat as often as they can. It may take hours. */
export const full = process.env['PROMISES'] === 'full'

/** The number of repetitions: `daily` in `npm test`, `all` in `npm run test:full`. */
export const turns = (daily: number, all: number) => (full ? all : daily)
