import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take far longer than their length tells. */
const LONG =
  /(cluster|access-\w+|lists|main-job|crawl|uploads-memory|faults-\w+|waiting|embedded|worker|backup|migrate)\.test\.ts$/

/**
 * Starts in each group with what takes long, of all projects in turn: so what waits runs beside what computes, and
 * nobody waits for one file at the end. The others go by project, since a process goes on with the next file, and with
 * what it has imported, only where that is of its own project. Otherwise as vitest has it: the larger first, or what has
 * taken longer.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const usual = await super.sort(files)
    const groupOf = ({ project }: TestSpecification) => project.config.sequence.groupOrder
    const projects = [...new Set(usual.map(({ project }) => project.name))]
    const ranks = new Map<string, number>()
    const ranked = usual.map((file) => {
      const { name } = file.project
      const isLong = LONG.test(file.moduleId)
      const n = ranks.get(name) ?? 0
      if (isLong) ranks.set(name, n + 1)
      return { file, isLong, place: isLong ? n : projects.indexOf(name) }
    })
    return ranked
      .toSorted((a, b) => groupOf(a.file) - groupOf(b.file) || Number(b.isLong) - Number(a.isLong) || a.place - b.place)
      .map(({ file }) => file)
  }
}
