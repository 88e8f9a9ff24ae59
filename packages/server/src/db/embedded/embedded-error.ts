/** The reason why the embedded PostgreSQL did not start, in one line for the person who started Backstock. */
export class EmbeddedError extends Error {}

const refused = new Set(['EACCES', 'EPERM', 'EROFS'])
const full = new Set(['ENOSPC', 'EDQUOT'])

/** Turns an error of the operating system about `home` into one line. Other errors keep their message. */
export function embeddedError(error: unknown, home: string): EmbeddedError {
  if (error instanceof EmbeddedError) return error
  const { code = '', syscall, message } = error as NodeJS.ErrnoException
  if (full.has(code)) return new EmbeddedError(diskFull(home))
  if (refused.has(code))
    return new EmbeddedError(
      `No permission to write to the data folder ${home}: give it to this user, or set DATA_DIR to another.`,
    )
  if (code === 'ENOTDIR' || code === 'EEXIST')
    return new EmbeddedError(`There is a file where the data folder ${home} should be: move it away, or set DATA_DIR.`)
  if (code === 'ENOENT' && syscall === 'mkdir')
    return new EmbeddedError(`The data folder ${home} cannot be made there: set DATA_DIR to another.`)
  return new EmbeddedError(`The embedded PostgreSQL in ${home} did not start: ${firstLine(message)}`)
}

/** The line of PostgreSQL's output that says why it stopped, as an error. */
export function postgresError(output: string, home: string, log: string): EmbeddedError {
  if (/No space left on device|Disk quota exceeded/i.test(output)) return new EmbeddedError(diskFull(home))
  if (/could not look up effective user ID/.test(output))
    return new EmbeddedError(
      'This user has no entry in /etc/passwd, which PostgreSQL needs: start as a named user, or set DATABASE_URL.',
    )
  const lines = output.split('\n').map((line) => line.trim())
  const reason = lines.findLast((line) => /\b(FATAL|PANIC|error):/.test(line)) ?? lines.findLast(Boolean)
  const why = reason?.replace(/^.*?\b(FATAL|PANIC|error):\s*/, '') ?? 'it ended without a message'
  return new EmbeddedError(`The embedded PostgreSQL in ${home} did not start: ${why} (see ${log})`)
}

const diskFull = (home: string) => `The disk that holds ${home} is full: free some space, or set DATA_DIR.`

const firstLine = (text: string) => text.split('\n', 1)[0]
