/** Full counts, which may take hours, instead of the few turns of the daily tests. */
export const full = process.env['PROMISES'] === 'full'

/** How often to try: `daily` times in `npm test`, `all` times in `npm run test:full`. */
export const turns = (daily: number, all: number) => (full ? all : daily)
