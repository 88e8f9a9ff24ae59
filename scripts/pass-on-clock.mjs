// Preloaded into each process of `npm run test:clocks`: a process that it starts with an environment of its own, such
// as PostgreSQL, has the same clock.
import child from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'

const clock = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => name === 'LD_PRELOAD' || name.startsWith('FAKETIME')),
)
const { spawn } = child
child.spawn = (command, args, options) =>
  Array.isArray(args)
    ? spawn(command, args, options?.env ? { ...options, env: { ...options.env, ...clock } } : options)
    : spawn(command, args)
syncBuiltinESMExports()
