import type { FurtherColumn, FurtherColumnCounts } from '@backstock/contract/further-column.ts'
import { Skeleton } from '@mantine/core'
import IconArrowMoveRight from '@tabler/icons-react/dist/esm/icons/IconArrowMoveRight.mjs'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Suspense, useMemo, useState } from 'react'
import { api } from '../api/client.ts'
import { errorMessage } from '../api/error.ts'
import { lazyPart } from '../api/lazy-part.ts'
import { queryClient } from '../api/query-client.ts'
import { showToast } from '../api/toast.ts'
import type { ListArea } from '../crud/area.ts'
import { deleteColumn } from '../crud/delete-column.tsx'
import { ListPage } from '../crud/list-page.tsx'
import { buttonColumn, textColumn } from '../ui/table/columns.tsx'

/** Counts come in a request of their own, because they take some seconds with a million items. */
const counts = queryOptions({
  queryKey: ['further-column', 'counts'],
  queryFn: async ({ signal }) => (await api.get<FurtherColumnCounts>('further-column/counts', { signal })).data,
})

const said = (items: number) => (items === 1 ? '1 item' : `${items.toLocaleString('en')} items`)

function Items({ id }: { id: number }) {
  const { data, isError } = useQuery(counts)
  if (isError) return '?'
  return data ? said(data[id] ?? 0) : <Skeleton height={12} width={40} ml="auto" />
}

async function question({ id, name }: FurtherColumn) {
  // Counted anew: the values of items that came since the list was read go, too.
  const now = await queryClient.fetchQuery({ ...counts, staleTime: 0 }).catch((error: unknown) => {
    showToast({ type: 'error', message: errorMessage(error) })
    throw error
  })
  const items = now[id] ?? 0
  const held = `${said(items)} ${items === 1 ? 'has' : 'have'} the column '${name}', and its values are deleted with it.`
  return `${held} Are you sure you want to delete this column?`
}

const TakeOverDialog = lazyPart(async () => ({ default: (await import('./take-over-dialog.tsx')).TakeOverDialog }))

const listArea = (takeOver: (column: FurtherColumn) => void): ListArea<FurtherColumn> => ({
  area: 'further-column',
  title: 'Further columns',
  columns: [
    { header: '#', sort: 'id', width: 76, phone: 'hidden', cell: (row) => row.id },
    textColumn('Name', (row) => row.name, { sort: 'name', phone: 'lead' }),
    textColumn('Comes from', (row) => row.partner_name ?? 'Import'),
    { header: 'Items', align: 'right', cell: (row) => <Items id={row.id} /> },
    buttonColumn('Copy', IconArrowMoveRight, (row) => ({
      label: `Copy ${row.name} into a field`,
      onPress: () => takeOver(row),
    })),
    deleteColumn('further-column', { question, name: (row) => row.name, alsoChanges: ['stock', 'basket'] }),
  ],
  mayCreate: () => false,
  empty: {
    text: 'Columns of imported files for which Backstock has no field appear here.',
    steps: [{ text: 'Import a CSV file', to: '/admin/stock/import' }],
  },
})

/** The list for the router, which loads its rows before the screen is drawn. */
export const list = listArea(() => undefined)

/** The list of further columns: those of imported files and of partners that are not among the fields of an item. */
export default function FurtherColumnPage() {
  const [taking, setTaking] = useState<FurtherColumn | null>(null)
  const area = useMemo(() => listArea(setTaking), [])
  return (
    <>
      <ListPage area={area} />
      {taking && (
        <Suspense>
          <TakeOverDialog column={taking} onClose={() => setTaking(null)} />
        </Suspense>
      )}
    </>
  )
}
