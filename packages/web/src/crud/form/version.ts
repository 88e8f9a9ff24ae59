import { useEffect, useState } from 'react'
import { queryClient } from '../../api/query-client.ts'
import { record } from '../../api/reads.ts'
import { useMe } from '../../api/session.ts'
import type { RecordArea, RecordFormOf, RecordRow } from '../area.ts'
import { keepTyped, same } from './keep-typed.ts'

/**
 * The version of the record that the form shows. If the record changes, the form shows the new version, unless something
 * was typed. `begunAt` is the version from which a kept draft was begun.
 */
export function useVersion<Row extends RecordRow, Values extends object>(
  area: RecordArea<Row, Values>,
  row: Row | null,
  form: RecordFormOf<Values>,
  begunAt: string | undefined,
) {
  const me = useMe()
  const [loadedAt, setLoadedAt] = useState(begunAt ?? row?.updated_at)
  const takeOver = (fresh: Row, values: Values) => {
    form.setInitialValues(area.values(fresh, me))
    form.setValues(values)
    setLoadedAt(fresh.updated_at)
  }
  useEffect(() => {
    if (!row || !loadedAt || row.updated_at <= loadedAt) return
    const now = area.values(row, me)
    // A new version of the record is no conflict if it differs in nothing that the form shows, for example because an
    // invoice was made.
    if (same(now, form.getInitialValues())) setLoadedAt(row.updated_at)
    else if (!form.isDirty()) takeOver(row, now)
  })
  /** Takes the record over. A field that differs from its value in `before` keeps what was typed. */
  const takeKeeping = (before: Values, fresh: Row) =>
    takeOver(fresh, keepTyped(before, form.getValues(), area.values(fresh, me)))
  return {
    loadedAt,
    /** Shows the stored record. A field in which people typed while it was saved keeps the text. */
    takeSaved: (id: number, sent: Values, fresh: Row) => {
      queryClient.setQueryData(record<Row>(area.area, id).queryKey, fresh)
      takeKeeping(sent, fresh)
    },
    /** Reads the record again and keeps what was typed. */
    reload: async (id: number) => {
      const fresh = await queryClient.fetchQuery({
        ...record<Row>(area.area, id),
        ...(area.read && { queryFn: area.read }),
        staleTime: 0,
      })
      takeKeeping(form.getInitialValues(), fresh)
    },
  }
}
