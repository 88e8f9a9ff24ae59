import { useEffect, useState } from 'react'
import type { ListRow } from './column.ts'

const NEW_AT_ONCE = 50
/** Long enough for the frame to be drawn and a key to be handled in between. */
const PAUSE_MS = 16

/**
 * How many of these rows to draw now. Hundreds of new ones come in slices, a few frames apart, so that no single frame
 * has them all to lay out and typing goes on meanwhile; rows that are there already stay.
 */
export function useRowSlices(rows: readonly ListRow[] | undefined): number {
  const [there, setThere] = useState<ReadonlySet<number>>(new Set())
  let left = NEW_AT_ONCE
  const stop = rows?.findIndex((row) => !there.has(row.id) && left-- === 0) ?? 0
  const count = stop < 0 ? (rows?.length ?? 0) : stop
  useEffect(() => {
    const timer = setTimeout(() => setThere(new Set(rows?.slice(0, count).map((row) => row.id))), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [rows, count])
  return count
}
