import { useEffect, useState } from 'react'
import type { ListRow } from './column.ts'

const NEW_AT_ONCE = 100
/** In this pause the browser can draw a frame and handle a key. */
const PAUSE_MS = 16

/**
 * How many of these rows to draw now. Hundreds of new rows come in slices, a few frames apart: no single frame has to
 * lay out all of them, and people can go on typing. Rows that are drawn already stay.
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
