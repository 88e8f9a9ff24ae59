import type { LogEntry } from '@backstock/contract/log.ts'
import { Sections } from '../ui/layout/section.tsx'
import { LogTimeline } from '../ui/log/log-timeline.tsx'

/** The Logs section under a record's form. */
export function RecordLogs({ logs }: { logs: readonly LogEntry[] | undefined }) {
  return <Sections items={[{ name: 'logs', title: 'Logs', content: <LogTimeline logs={logs ?? []} /> }]} open={[]} />
}
