import { readFileSync } from 'node:fs'

const manifest = new URL('../../../../package.json', import.meta.url)

/** The version of Backstock that runs, as `package.json` of the whole project has it. */
export const VERSION = (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version
