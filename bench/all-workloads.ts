import { documents } from './workloads/documents.ts'
import { files } from './workloads/files.ts'
import { lists } from './workloads/lists.ts'
import { onePerson } from './workloads/one-person.ts'
import { previews } from './workloads/previews.ts'
import { processes } from './workloads/process.ts'
import { records } from './workloads/records.ts'
import { views } from './workloads/views.ts'
import type { Workload } from './workloads/workload.ts'

/** All workloads, in the order in which they are measured. */
export const ALL: readonly Workload[] = [
  ...lists,
  views,
  ...records,
  ...files,
  previews,
  onePerson,
  ...documents,
  ...processes,
]

/** The workload with this id. Throws if there is none. */
export function workload(id: string): Workload {
  const found = ALL.find((one) => one.id === id)
  if (!found) throw new Error(`There is no workload ${id}; there are ${ALL.map((one) => one.id).join(', ')}`)
  return found
}
