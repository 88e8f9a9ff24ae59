import type { ChildProcess } from 'node:child_process'
import { channel } from 'node:diagnostics_channel'

/**
 * Runs `work`, and kills each process that it starts, before that process has done anything. A process that takes too
 * much time or memory ends in the same way.
 */
export async function withKilledReaders<Result>(work: () => Promise<Result>): Promise<Result> {
  const started = channel('child_process')
  const kill = (message: unknown) => {
    const { process } = message as { process: ChildProcess }
    process.once('spawn', () => process.kill('SIGKILL'))
  }
  started.subscribe(kill)
  try {
    return await work()
  } finally {
    started.unsubscribe(kill)
  }
}
