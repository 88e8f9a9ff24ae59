import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { project } from '../journeys/running-server.ts'

const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: project, encoding: 'utf8', maxBuffer: 1 << 30 }).trim()

/**
 * The commit of the last release: the last one that added a version to the changelog. `RELEASE=v1.0.0` takes another
 * one. Undefined without git.
 */
export function lastRelease(): string | undefined {
  try {
    return process.env['RELEASE'] ?? (git('log', '-1', '--format=%H', '-G^## \\[', '--', 'CHANGELOG.md') || undefined)
  } catch {
    return undefined
  }
}

/** Puts the packages of a commit into an empty folder. They use the installed libraries of this checkout. */
export function checkOut(commit: string, folder: string): void {
  const archive = path.join(folder, 'packages.tar')
  git('archive', '--output', archive, commit, 'packages', 'package.json')
  execFileSync('tar', ['-x', '-f', archive, '-C', folder])
  const libraries = path.join(folder, 'node_modules')
  mkdirSync(path.join(libraries, '@backstock'), { recursive: true })
  for (const name of readdirSync(path.join(project, 'node_modules')))
    if (name !== '@backstock') symlinkSync(path.join(project, 'node_modules', name), path.join(libraries, name))
  for (const name of ['contract', 'server'])
    symlinkSync(path.join(folder, 'packages', name), path.join(libraries, '@backstock', name))
}
