import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take far longer than their length tells. */
const LONG =
  /(cluster|access-\w+|lists|main-job|crawl|uploads-memory|faults-\w+|waiting|embedded|worker|backup|migrate)\.test\.ts$/

/**
 * Starts in each group with what takes long, of all projects in turn: so what waits runs beside what computes, and
 * nobody waits for one file at the end. Otherwise as vitest has it: the larger first, or what has taken longer.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const usual = await super.sort(files)
    const groupOf = ({ project }: TestSpecification) => project.config.sequence.groupOrder
    const ranks = new Map<string, number>()
    const ranked = usual.map((file) => {
      const key = `${file.project.name} ${LONG.test(file.moduleId)}`
      const n = ranks.get(key) ?? 0
      ranks.set(key, n + 1)
      return { file, isLong: LONG.test(file.moduleId), n }
    })
    return ranked
      .toSorted((a, b) => groupOf(a.file) - groupOf(b.file) || Number(b.isLong) - Number(a.isLong) || a.n - b.n)
      .map(({ file }) => file)
  }
}
