import { spawn } from 'node:child_process'

/** The user that PostgreSQL runs as; empty: the server's own user. */
export type ProgramUser = { uid?: number; gid?: number }

/**
 * A plain environment: a `PGPORT` or `LANG` of the person's own must not reach PostgreSQL. The folder is `/` because
 * that user may not be allowed into the one we stand in.
 */
export const programOptions = {
  cwd: '/',
  env: { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC' },
}

/**
 * Runs a program to its end. Never throws: a program that cannot be started has the code -1 and the reason as output.
 */
export function runProgram(
  program: string,
  args: string[],
  user: ProgramUser = {},
): Promise<{ code: number; output: string }> {
  return new Promise((done) => {
    let output = ''
    const child = spawn(program, args, { ...programOptions, ...user, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
    child.on('error', (error) => done({ code: -1, output: error.message }))
    child.on('close', (code) => done({ code: code ?? -1, output }))
  })
}
