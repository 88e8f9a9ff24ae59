// Loaded before each process of `npm run test:clocks`. It gives the false clock also to processes that are started with
// an environment of their own, such as PostgreSQL.
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
