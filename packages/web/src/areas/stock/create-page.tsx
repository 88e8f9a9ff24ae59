import type { StockItem } from '@backstock/contract/stock.ts'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { RecordArea } from '../../crud/area.ts'
import { RecordForm } from '../../crud/record-form.tsx'
import { PageHeader } from '../../ui/layout/page-header.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
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

/** The identifiers in the address. The link to add an item for an unknown scanned code sets them. */
function givenBy({ imei, serial_number }: Record<string, string | undefined>): Partial<StockValues> {
  return { ...(imei && { imei }), ...(serial_number && { serial_number }) }
}

export default function StockCreatePage() {
  const navigate = useNavigate()
  const given = useSearch({ strict: false, select: givenBy, structuralSharing: true })
  const area = useMemo(
    () => ({ ...stock, values: (...of: Parameters<typeof stock.values>) => ({ ...stock.values(...of), ...given }) }),
    [given],
  )
  return (
    <>
      <PageHeader title="New Stock Item" />
      <RecordForm area={area} row={null} onSaved={() => void navigate({ to: '/admin/stock' })} />
    </>
  )
}
