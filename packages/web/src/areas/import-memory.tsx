import { columnLabel } from '@backstock/contract/column-label.ts'
import type { ImportMemory } from '@backstock/contract/import-memory.ts'
import type { ListArea } from '../crud/area.ts'
import { deleteColumn } from '../crud/delete-column.tsx'
import { ListPage } from '../crud/list-page.tsx'
import { dateColumn, textColumn } from '../ui/table/columns.tsx'
import { targetLabel } from './import/preview/target-label.ts'

/** The name of an entry, for example `Column EK Preis`, `Colour Blau` or `Category of all rows`. */
function nameOf({ kind, field, name }: ImportMemory): string {
  if (kind === 'column') return `Column ${name}`
  const label = columnLabel(field ?? '')
  if (field === 'purchase_fx_rate') return `Exchange rate of ${name}`
  return kind === 'default' && name === '' ? `${label} of all rows` : `${label} ${name}`
}

const meaningOf = ({ kind, means }: ImportMemory) => (kind === 'column' ? targetLabel(means) : means)

export const list: ListArea<ImportMemory> = {
  area: 'import-memory',
  title: 'Import Memory',
  columns: [
    textColumn('In the file', nameOf, { sort: 'name', phone: 'lead' }),
    textColumn('Means', meaningOf),
    textColumn('Supplier', ({ supplier_name }) => supplier_name ?? 'Your files without a supplier'),
    textColumn('Chosen by', ({ said_by_name }) => said_by_name),
    dateColumn('Last used', ({ used_at }) => used_at, { sort: 'used_at' }),
    deleteColumn('import-memory', {
      question: async (row) => `Forget that ‘${nameOf(row)}’ means ‘${meaningOf(row)}’? Files will be read without it.`,
      name: nameOf,
    }),
  ],
  filters: [{ name: 'supplier_id', label: 'Supplier', options: [], of: 'supplier', isMore: true }],
  defaultOrder: 'used_at_desc',
  mayCreate: () => false,
  empty: {
    text: 'When you import a file, most choices in its preview are remembered for the next file of the same supplier.',
    steps: [{ text: 'Preview a file', to: '/admin/stock/import' }],
  },
}

/**
 * The list of choices that imports remember for the files of each supplier, and for a person's own files. Each can be
 * forgotten.
 */
export default function ImportMemoryPage() {
  return <ListPage area={list} />
}
