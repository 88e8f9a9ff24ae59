import { readFileSync } from 'node:fs'

const manifest = new URL('../../../../package.json', import.meta.url)

/** The running version of Backstock, from the root's `package.json`. */
export const VERSION = (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version
