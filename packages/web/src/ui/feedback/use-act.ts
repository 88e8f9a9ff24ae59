import { useState } from 'react'
import { ApiError } from '../../api/error.ts'

/**
 * Whether the act of a button runs, and a function that runs it. If the server refuses, a toast has shown the reason,
 * and the act is over like any other. Other errors are thrown.
 */
export function useAct(): [running: boolean, run: (act: () => Promise<unknown>) => Promise<void>] {
  const [running, setRunning] = useState(false)
  const run = async (act: () => Promise<unknown>) => {
    setRunning(true)
    try {
      await act()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
    } finally {
      setRunning(false)
    }
  }
  return [running, run]
}
