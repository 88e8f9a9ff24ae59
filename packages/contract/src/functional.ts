/** Whether a device works, as far as somebody has tried. */
export const FUNCTIONAL = ['working', 'minor faults', 'faulty', 'untested'] as const
export type Functional = (typeof FUNCTIONAL)[number]

/** The same as screens write it. */
export const FUNCTIONAL_NAMES: Readonly<Record<Functional, string>> = {
  working: 'Working',
  'minor faults': 'Minor faults',
  faulty: 'Faulty',
  untested: 'Untested',
}
