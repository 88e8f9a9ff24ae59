/**
 * The zones that Node and browsers list under an old name, each with the name of today. PostgreSQL with the time zones
 * of Debian lacks the old names, unless the package tzdata-legacy is installed.
 */
const RENAMED = new Map([
  ['Africa/Asmera', 'Africa/Asmara'],
  ['America/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
  ['America/Catamarca', 'America/Argentina/Catamarca'],
  ['America/Coral_Harbour', 'America/Atikokan'],
  ['America/Cordoba', 'America/Argentina/Cordoba'],
  ['America/Godthab', 'America/Nuuk'],
  ['America/Indianapolis', 'America/Indiana/Indianapolis'],
  ['America/Jujuy', 'America/Argentina/Jujuy'],
  ['America/Louisville', 'America/Kentucky/Louisville'],
  ['America/Mendoza', 'America/Argentina/Mendoza'],
  ['Asia/Calcutta', 'Asia/Kolkata'],
  ['Asia/Katmandu', 'Asia/Kathmandu'],
  ['Asia/Rangoon', 'Asia/Yangon'],
  ['Asia/Saigon', 'Asia/Ho_Chi_Minh'],
  ['Atlantic/Faeroe', 'Atlantic/Faroe'],
  ['Europe/Kiev', 'Europe/Kyiv'],
  ['Pacific/Enderbury', 'Pacific/Kanton'],
  ['Pacific/Ponape', 'Pacific/Pohnpei'],
  ['Pacific/Truk', 'Pacific/Chuuk'],
])

/** A time zone by its name of today. */
export const renamedZone = (zone: string): string => RENAMED.get(zone) ?? zone

/** All time zones by their names of today, in order, UTC first. */
export function timeZones(): string[] {
  const zones = new Set(Intl.supportedValuesOf('timeZone').map(renamedZone))
  zones.delete('UTC')
  return ['UTC', ...[...zones].toSorted()]
}
