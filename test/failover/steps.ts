import { readFileSync } from 'node:fs'

/**
 * The commands that `docs/operations.md` prints below a heading, block by block. In them, `…` stands for a value that a
 * person fills in.
 */
export function printedSteps(page: string, heading: string): string[] {
  const text = readFileSync(page, 'utf8')
  const lines = text.split('\n')
  const first = lines.findIndex((line) => /^#+ /.test(line) && line.replace(/^#+ /, '') === heading)
  if (first < 0) throw new Error(`${page} has no heading ${heading}`)
  const rest = lines.slice(first + 1)
  const end = rest.findIndex((line) => /^#{2,4} /.test(line))
  const section = rest.slice(0, end < 0 ? undefined : end).join('\n')
  return blocksOf(section)
}

export const blocksOf = (text: string): string[] =>
  [...text.matchAll(/^```\n([\s\S]*?)^```$/gm)].map(([, block]) => block!)
