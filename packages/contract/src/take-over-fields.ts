/** Fields that items have had only since a later version. Before that, shops kept their values in further columns. */
export const TAKE_OVER_FIELDS = ['grade', 'functional', 'battery_health', 'location'] as const
export type TakeOverField = (typeof TAKE_OVER_FIELDS)[number]

export const TAKE_OVER_NAMES: Readonly<Record<TakeOverField, string>> = {
  grade: 'Grade',
  functional: 'Functional',
  battery_health: 'Battery health',
  location: 'Location',
}
