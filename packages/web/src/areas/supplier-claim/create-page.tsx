import { useNavigate } from '@tanstack/react-router'
import { RecordForm } from '../../crud/record-form.tsx'
import { FieldGrid } from '../../ui/fields/field-grid.tsx'
import { PageHeader } from '../../ui/layout/page-header.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { recordPath } from '../../ui/values/link.tsx'
import { claimDetails } from './claim-form.tsx'

const area: typeof claimDetails = {
  ...claimDetails,
  fields: (form, context) => (
    <Panel>
      <FieldGrid>{claimDetails.fields(form, context)}</FieldGrid>
    </Panel>
  ),
}

/** The form of a new claim. It asks for the supplier; items are added on the claim's own screen. */
export default function SupplierClaimCreatePage() {
  const navigate = useNavigate()
  return (
    <>
      <PageHeader title="New supplier claim" />
      <RecordForm area={area} row={null} onSaved={(id) => void navigate({ to: recordPath('supplier-claim', id) })} />
    </>
  )
}
