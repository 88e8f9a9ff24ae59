// This file is plain, old JavaScript, so that it can also print its messages with an old Node.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const project = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const screens = 'packages/web/dist/index.html'
const sources = [
  'packages/web/src',
  'packages/contract/src',
  'packages/web/public',
  'packages/web/index.html',
  'packages/web/vite.config.ts',
  'packages/web/manual.ts',
  'docs/manual',
  'package.json',
  'package-lock.json',
]

/** Prints one line and ends the process with status 1. */
export function giveUp(line) {
  console.error(line)
  process.exit(1)
}

/** Ends the process with a message unless this is Node 24 or newer. */
export function checkNode() {
  if (Number.parseInt(process.versions.node, 10) >= 24) return
  giveUp(
    `Backstock needs Node 24 or newer; this is ${process.version}. On Linux "npm ci" brings one along (without --omit=optional) and npm start, npm test and npm run dev find it; elsewhere install it from https://nodejs.org.`,
  )
}

/** Builds the screens if they are missing or older than their sources. */
export function buildScreens() {
  const built = path.join(project, screens)
  if (
    existsSync(built) &&
    statSync(built).mtimeMs >= Math.max(...sources.map((name) => newest(path.join(project, name))))
  )
    return
  console.log('Building the screens ...')
  if (!run('npm', ['run', '--silent', 'build', '--', '--logLevel', 'warn']))
    giveUp('The screens could not be built: see above.')
}

/**
 * The time of the latest change in a file or folder. The time of a folder itself changes if something in it is removed.
 */
function newest(name) {
  const entry = statSync(name, { throwIfNoEntry: false })
  if (!entry) return 0
  if (!entry.isDirectory()) return entry.mtimeMs
  return readdirSync(name).reduce((latest, child) => Math.max(latest, newest(path.join(name, child))), entry.mtimeMs)
}

/** Runs a program in the checkout and shows its output. Returns whether it succeeded. */
export function run(program, args, environment = {}) {
  const options = { cwd: project, stdio: 'inherit', env: { ...process.env, ...environment } }
  return spawnSync(program, args, options).status === 0
}

/** Whether a program of this name can be run. */
export function isInstalled(name) {
  const folders = (process.env.PATH || '').split(path.delimiter)
  return folders.some((folder) => folder !== '' && existsSync(path.join(folder, name)))
}
