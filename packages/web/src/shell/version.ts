/** The build replaces this name by the version (`define` in vite.config.ts). */
declare const BACKSTOCK_VERSION: string

/** The version of these screens, from the project's `package.json`. */
export const VERSION = BACKSTOCK_VERSION
