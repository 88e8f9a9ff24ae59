import type { LogEntry } from '@backstock/contract/log.ts'
import { LogTimeline } from '../ui/log-timeline.tsx'
import { Sections } from '../ui/section.tsx'

/** The Logs section under a record's form. */
export function RecordLogs({ logs }: { logs: readonly LogEntry[] | undefined }) {
  return <Sections items={[{ name: 'logs', title: 'Logs', content: <LogTimeline logs={logs ?? []} /> }]} open={[]} />
}
