import { readFileSync } from 'node:fs'
import path from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import type { Timings } from './gate/timings.ts'

const house = path.resolve(import.meta.dirname, '..')
const { shares }: Timings = JSON.parse(readFileSync(path.join(house, 'test-timings.json'), 'utf8'))
const shareOf = ({ moduleId }: TestSpecification) => shares[path.relative(house, moduleId)] ?? 0

/**
 * Puts the test files of each group in an order. Files of one project follow each other, because a process keeps what it
 * has loaded only for files of the same project. Projects that take longer come later, and each begins with its longest
 * files, so no long file runs alone at the end.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const groupOf = ({ project }: TestSpecification) => project.config.sequence.groupOrder
    const sums = new Map<string, number>()
    for (const file of files) sums.set(file.project.name, (sums.get(file.project.name) ?? 0) + shareOf(file))
    const sumOf = ({ project }: TestSpecification) => sums.get(project.name) ?? 0
    return (await super.sort(files)).toSorted(
      (a, b) => groupOf(a) - groupOf(b) || sumOf(a) - sumOf(b) || shareOf(b) - shareOf(a),
    )
  }
}
