/** Set by the build. */
declare const BACKSTOCK_VERSION: string

/** The version of these screens, as `package.json` of the whole project has it. */
export const VERSION = BACKSTOCK_VERSION
