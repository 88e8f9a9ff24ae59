import fs from 'node:fs'
import { EmbeddedError } from './embedded-error.ts'
import { type ProgramUser, runProgram } from './run-program.ts'

export const isRoot = () => process.getuid?.() === 0

/**
 * The user that PostgreSQL runs as, because it refuses to run as root: the owner of the data, else postgres, else
 * nobody. Throws `EmbeddedError` if the data belong to a user that this process cannot run programs as.
 */
export function programUser(data: string): ProgramUser {
  const owner = fs.statSync(data, { throwIfNoEntry: false })
  if (!isRoot()) {
    if (owner && owner.uid !== process.getuid?.())
      throw new EmbeddedError(`${data} belongs to another user: start Backstock as that user, or set DATA_DIR.`)
    return {}
  }
  if (owner?.uid === 0)
    throw new EmbeddedError(`${data} belongs to root, whom PostgreSQL refuses: run chown -R postgres ${data}`)
  if (owner) return { uid: owner.uid, gid: owner.gid }
  const accounts = fs.readFileSync('/etc/passwd', 'utf8')
  const account = /^postgres:[^:]*:(\d+):(\d+)/m.exec(accounts) ?? /^nobody:[^:]*:(\d+):(\d+)/m.exec(accounts)
  if (!account)
    throw new EmbeddedError(
      'PostgreSQL refuses to run as root, and this machine has neither a user postgres nor nobody: add one with useradd --system postgres, or start as an ordinary user.',
    )
  return { uid: Number(account[1]), gid: Number(account[2]) }
}

/**
 * Makes a folder, and the folders above it. PostgreSQL's user can pass through all of them, even if root's umask is
 * 077.
 */
export function makeOpenFolder(folder: string): void {
  const isThere = () => fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory()
  if (isThere()) return
  const parent = folder.slice(0, folder.lastIndexOf('/'))
  if (parent) makeOpenFolder(parent)
  try {
    // `recursive` is not used, because in /proc it never returns.
    fs.mkdirSync(folder)
  } catch (error) {
    if (!isThere()) throw error // otherwise another start has made it
  }
  if (isRoot()) fs.chmodSync(folder, 0o755)
}

/** Makes a folder that only this user can open. */
export function makePrivateFolder(folder: string, user: ProgramUser): void {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  giveTo(folder, user)
}

/** Gives a folder or file to PostgreSQL's user. If that is our own user, nothing is done. */
export function giveTo(file: string, user: ProgramUser): void {
  if (user.uid !== undefined && user.gid !== undefined) fs.lchownSync(file, user.uid, user.gid)
}

/** Throws `EmbeddedError` if PostgreSQL's user cannot reach `home`, for example because it is below /root. */
export async function checkReachable(home: string, user: ProgramUser, suggestion: string): Promise<void> {
  if (user.uid === undefined) return
  const entered = await runProgram('/bin/sh', ['-c', 'cd "$1"', 'sh', home], user)
  if (entered.code === 0) return
  if (/EPERM/.test(entered.output))
    throw new EmbeddedError(
      'PostgreSQL refuses to run as root, and root may not change to another user here: start as an ordinary user.',
    )
  throw new EmbeddedError(
    `PostgreSQL refuses to run as root, and its own user (${user.uid}) may not enter ${home}: leave DATA_DIR unset or set it to an open folder such as ${suggestion}.`,
  )
}
