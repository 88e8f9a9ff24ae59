import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** The kinds of changes, from https://keepachangelog.com, in the order in which a release lists them. */
const KINDS = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'] as const
const LONGEST = 200

export type Change = { kind: (typeof KINDS)[number]; text: string }

/** The files in `changes/` whose lines a release moves into the changelog. */
export function changeFiles(project: string): string[] {
  const folder = path.join(project, 'changes')
  if (!existsSync(folder)) return []
  const names = readdirSync(folder).filter((name) => name.endsWith('.md') && name !== 'README.md')
  return names.sort().map((name) => path.join(folder, name))
}

/** The changes in a file. Throws an error that names the first line of a wrong form. */
export function readChanges(file: string): Change[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  const changes = lines.flatMap((line, at) => {
    if (line.trim() === '') return []
    const [kind, text] = [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2).trim()]
    const known = KINDS.find((name) => name === kind)
    if (!known || text === '' || line.length > LONGEST)
      throw new Error(
        `${file}, line ${at + 1}: a change is one line such as "Fixed: …", of at most ${LONGEST} characters; it begins with ${KINDS.join(', ')}.`,
      )
    return [{ kind: known, text }]
  })
  if (changes.length === 0) throw new Error(`${file} names no change.`)
  return changes
}

/** The section of a release in CHANGELOG.md, with the changes grouped by kind. `day` is an ISO date. */
export function releaseSection(version: string, day: string, changes: Change[]): string {
  const groups = KINDS.flatMap((kind) => {
    const texts = changes.filter((change) => change.kind === kind).map(({ text }) => `- ${text}`)
    return texts.length ? [`### ${kind}\n\n${texts.join('\n')}\n`] : []
  })
  return `## [${version}] - ${day}\n\n${groups.join('\n')}`
}
