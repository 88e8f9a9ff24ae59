import { type Dispatch, type SetStateAction, useEffect, useState } from 'react'
import { useMe } from '../../api/session.ts'

export type KeptTicks = ReadonlyMap<string, boolean>

const nameOf = (userId: number) => `bank-entry ticks ${userId}`

function readTicks(userId: number): KeptTicks {
  try {
    return new Map(Object.entries(JSON.parse(sessionStorage.getItem(nameOf(userId)) ?? '{}')))
  } catch {
    // The browser keeps nothing, or something that this application did not write.
    return new Map()
  }
}

function keepTicks(userId: number, ticks: KeptTicks): void {
  try {
    sessionStorage.setItem(nameOf(userId), JSON.stringify(Object.fromEntries(ticks)))
  } catch {
    // The browser refuses to keep them. They last until the person leaves the list.
  }
}

/**
 * The ticks that a person has set or taken away. They last until the window closes: a look at a sale, Back and a reload
 * must not tick an entry again that somebody has unticked.
 */
export function useKeptTicks(): [KeptTicks, Dispatch<SetStateAction<KeptTicks>>] {
  const { id } = useMe()
  const [ticks, setTicks] = useState(() => readTicks(id))
  useEffect(() => keepTicks(id, ticks), [id, ticks])
  return [ticks, setTicks]
}
