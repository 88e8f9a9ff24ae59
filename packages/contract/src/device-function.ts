/** Whether a device works, according to the tests that somebody made. */
export const FUNCTIONAL = ['working', 'minor faults', 'faulty', 'untested'] as const
export type Functional = (typeof FUNCTIONAL)[number]

/** The words of the screens for these states. */
export const FUNCTIONAL_NAMES: Readonly<Record<Functional, string>> = {
  working: 'Working',
  'minor faults': 'Minor faults',
  faulty: 'Faulty',
  untested: 'Untested',
}
