import { spawn } from 'node:child_process'

/** The user that a program runs as. Without ids, it is this process's own user. */
export type ProgramUser = { uid?: number; gid?: number }

/**
 * A plain environment, so that the `PGPORT` or `LANG` of the person who starts Backstock does not reach PostgreSQL. The
 * folder is `/`, because PostgreSQL's user may not be allowed into the present one.
 */
export const programOptions = {
  cwd: '/',
  env: { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC' },
}

/**
 * Runs a program to its end. It never throws: if the program cannot be started, the code is -1 and the output is the
 * reason.
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
