import { expect, test } from 'vitest'
import { renamedZone, timeZones } from './time-zone.ts'

test('each time zone is listed once, by its name of today', () => {
  const zones = timeZones()
  expect(zones[0]).toBe('UTC')
  expect(new Set(zones).size).toBe(zones.length)
  for (const old of ['Europe/Kiev', 'Asia/Calcutta', 'America/Buenos_Aires', 'Atlantic/Faeroe']) {
    expect(zones).toContain(renamedZone(old))
    expect(zones).not.toContain(old)
    const hour = (timeZone: string) => new Date(0).toLocaleString('en', { timeZone })
    expect(hour(renamedZone(old))).toBe(hour(old))
  }
  expect(zones.map(renamedZone)).toEqual(zones)
})
