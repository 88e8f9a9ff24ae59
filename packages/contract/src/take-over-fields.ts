/** Fields that a later version added to items. Before that version, shops kept the values in further columns. */
export const TAKE_OVER_FIELDS = ['grade', 'functional', 'battery_health', 'location'] as const
export type TakeOverField = (typeof TAKE_OVER_FIELDS)[number]

export const TAKE_OVER_NAMES: Readonly<Record<TakeOverField, string>> = {
  grade: 'Grade',
  functional: 'Function',
  battery_health: 'Battery health',
  location: 'Location',
}
