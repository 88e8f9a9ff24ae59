import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { api } from '../api/client.ts'
import { hideRow, invalidate } from '../api/reads.ts'
import { confirmDialog, DELETE_ENTRY } from '../ui/feedback/confirm-dialog.tsx'
import type { Column, ListRow } from '../ui/table/column.ts'
import { buttonColumn } from '../ui/table/columns.tsx'

type Deleting<Row> = {
  /** The tooltip that says why a row cannot be deleted ('' for no tooltip); null if it can be. */
  refused?: (row: Row) => string | null
  /** The question before; 'Are you sure you want to delete this entry?' if left out. */
  question?: (row: Row) => string | Promise<string>
  /** The row's name for people who do not see the bin; '#5' if not given. */
  name?: (row: Row) => string
  /** Other areas whose reads it puts out of date. */
  alsoChanges?: readonly string[]
}

/** The bin at the end of each row. It asks first. The row goes at once and comes back if the server refuses. */
export function deleteColumn<Row extends ListRow>(
  area: string,
  {
    refused = () => null,
    question = () => DELETE_ENTRY,
    name = ({ id }) => `#${id}`,
    alsoChanges = [],
  }: Deleting<Row> = {},
): Column<Row> {
  const remove = async (row: Row) => {
    if (!(await confirmDialog(await question(row)))) return
    await hideRow(area, row.id)
    // A failure has shown why.
    await api.del(`${area}/${row.id}/delete`).catch(() => {})
    await invalidate(area, ...alsoChanges)
  }
  return buttonColumn('Delete', IconTrash, (row) => {
    const reason = refused(row)
    return {
      label: `Delete ${name(row)}`,
      title: reason || undefined,
      disabled: reason !== null,
      onPress: () => remove(row).catch(() => {}),
    }
  })
}
