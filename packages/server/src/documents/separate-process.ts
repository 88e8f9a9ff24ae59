import { fork } from 'node:child_process'
import { type Apart, inTurns, type Limits } from './in-turns.ts'

/**
 * Work in a process of its own, for what strangers send: whatever it does to itself, it ends alone. `file` answers through
 * `answerWith`. Memory is all that the process takes, which the process sees to itself (`limit-memory.ts`). It gets no
 * environment.
 */
export function separateProcess<Input, Output>(file: URL, { memoryMb, ...limits }: Limits): Apart<Input, Output> {
  return inTurns(({ answered, broken }) => {
    const child = fork(file, [String(memoryMb)], {
      execArgv: [`--max-old-space-size=${memoryMb}`],
      env: {},
      serialization: 'advanced',
      stdio: 'ignore',
    })
    child.on('message', (answer) => answered(answer as Parameters<typeof answered>[0]))
    child.on('error', broken)
    child.on('exit', () => broken(new Error('The process ended before its work was done.')))
    return {
      send: (input) => child.send(input as object, (error) => error && broken(error)),
      end: () => child.kill('SIGKILL'),
      hold() {
        child.ref()
        child.channel?.ref()
      },
      release() {
        child.unref()
        child.channel?.unref()
      },
    }
  }, limits)
}
