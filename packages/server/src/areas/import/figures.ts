import { sql } from 'kysely'
import type { Figures } from '../../http/metrics.ts'

export const importFigures: Figures = {
  helps: { imports_running: 'Imports that are not done.' },
  select: sql`select count(*) as imports_running from import where state in ('waiting', 'running')`,
}
