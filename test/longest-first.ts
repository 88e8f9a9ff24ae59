import { readFileSync } from 'node:fs'
import path from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import type { Timings } from './gate/timings.ts'

/** The share from which a file counts as long, in percent of the time of all files. */
const LONG = 0.5

const house = path.resolve(import.meta.dirname, '..')
const { shares }: Timings = JSON.parse(readFileSync(path.join(house, 'test-timings.json'), 'utf8'))
const shareOf = ({ moduleId }: TestSpecification) => shares[path.relative(house, moduleId)] ?? 0

/**
 * Puts the test files of each group in an order. Long files come first: the longest of each project, with the projects
 * in turn. So files that mostly wait run beside files that compute, and no long file runs alone at the end. The other
 * files follow by project, the longer ones first, because a process keeps its imports only for files of the same
 * project.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const usual = (await super.sort(files)).toSorted((a, b) => shareOf(b) - shareOf(a))
    const groupOf = ({ project }: TestSpecification) => project.config.sequence.groupOrder
    const projects = [...new Set(usual.map(({ project }) => project.name))]
    const ranks = new Map<string, number>()
    const ranked = usual.map((file) => {
      const { name } = file.project
      const isLong = shareOf(file) >= LONG
      const n = ranks.get(name) ?? 0
      if (isLong) ranks.set(name, n + 1)
      return { file, isLong, place: isLong ? n : projects.indexOf(name) }
    })
    return ranked
      .toSorted((a, b) => groupOf(a.file) - groupOf(b.file) || Number(b.isLong) - Number(a.isLong) || a.place - b.place)
      .map(({ file }) => file)
  }
}
