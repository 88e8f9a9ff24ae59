import type { NewestImport } from '@backstock/contract/dashboard.ts'
import classes from './dashboard.module.css'
import { importOf } from './dashboard.ts'
import { ShortList } from './short-list.tsx'

const count = (n: number) => n.toLocaleString('en')

/** The newest imports, and how many rows of each have failed. */
export function NewestImports({ imports }: { imports: NewestImport[] | undefined }) {
  return (
    <ShortList
      title="Newest imports"
      none="No import data"
      all={{ to: '/admin/stock/import/history' }}
      rows={imports?.map((one) => ({
        key: one.id,
        target: importOf(one.id),
        lead: one.file_name ?? (one.type === 'api_import' ? '(API Import)' : `Import #${one.id}`),
        end: <Outcome of={one} />,
        at: one.created_at,
        below: one.user_name ?? one.partner_name ?? '(API Import)',
      }))}
    />
  )
}

function Outcome({ of }: { of: NewestImport }) {
  const rows = `${count(of.processed_rows)} ${of.processed_rows === 1 ? 'row' : 'rows'}`
  if (of.state === 'waiting') return 'Waiting'
  if (of.state === 'running') return `Running, ${rows}`
  if (of.undo === 'undone') return `${rows}, undone`
  return (
    <>
      {rows}
      {of.failed_rows > 0 && <span className={classes['bad']}>, {count(of.failed_rows)} failed</span>}
      {of.state === 'failed' && <span className={classes['bad']}>, stopped</span>}
    </>
  )
}
