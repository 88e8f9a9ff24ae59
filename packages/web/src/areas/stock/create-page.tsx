import type { StockItem } from '@backstock/contract/stock.ts'
import { useNavigate } from '@tanstack/react-router'
import type { RecordArea } from '../../crud/area.ts'
import { RecordForm } from '../../crud/record-form.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Panel } from '../../ui/panel.tsx'
import { StockFields, stockRecord } from './stock-form.tsx'
import type { StockValues } from './stock-values.ts'

const stock: RecordArea<StockItem, StockValues> = {
  ...stockRecord,
  fields: (form, { row }) => (
    <Panel>
      <StockFields form={form} row={row} />
    </Panel>
  ),
}

export default function StockCreatePage() {
  const navigate = useNavigate()
  return (
    <>
      <PageHeader title="New Stock Item" />
      <RecordForm area={stock} row={null} onSaved={() => void navigate({ to: '/admin/stock' })} />
    </>
  )
}
