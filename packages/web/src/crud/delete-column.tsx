import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { api } from '../api/client.ts'
import { hideRow, invalidate } from '../api/reads.ts'
import { confirmDialog, DELETE_ENTRY } from '../ui/feedback/confirm-dialog.tsx'
import type { Column, ListRow } from '../ui/table/column.ts'
import { buttonColumn } from '../ui/table/columns.tsx'

type Deleting<Row> = {
  /** The tooltip that says why a row cannot be deleted; '' for no tooltip. Null if the row can be deleted. */
  refused?: (row: Row) => string | null
  /** The question before deleting; 'Are you sure you want to delete this entry?' if left out. */
  question?: (row: Row) => string | Promise<string>
  /** The name of the row for screen readers; '#5' if left out. */
  name?: (row: Row) => string
  /** Other areas whose data is out of date after deleting. */
  alsoChanges?: readonly string[]
}

/**
 * The column with a delete button in each row. It asks first. The row disappears at once, and comes back if the server
 * refuses.
 */
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
    // If the call fails, it shows a toast with the reason.
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
