import type { Sale } from '@backstock/contract/sale.ts'
import { allowedSaleStatuses, type SaleStatus } from '@backstock/contract/sale-status.ts'
import { type Ref, type RefObject, useImperativeHandle, useMemo, useRef } from 'react'
import { refetchAuth } from '../../../api/session.ts'
import type { RecordArea, RecordFormOf } from '../../../crud/area.ts'
import { RecordForm } from '../../../crud/record-form.tsx'
import { confirmDialog } from '../../../ui/feedback/confirm-dialog.tsx'
import { FieldGrid } from '../../../ui/fields/field-grid.tsx'
import { Select } from '../../../ui/fields/select.tsx'
import { TextField } from '../../../ui/fields/text-field.tsx'
import { focusInSection } from '../../../ui/layout/focus-in-section.ts'
import { resubmitNote, voidNote } from '../sale-papers.ts'

type Values = { status: SaleStatus; reference_number: string; courier: string; outbound_tracking_number: string }

export type GeneralInfoHandle = {
  /** Sets the status in the form and saves the form with all typed values. */
  move: (to: SaleStatus) => void
  /** Saves the form if anything was typed, then calls `next`. */
  saveThen: (next: () => void) => void
}

/** The effect of voiding the sale. Items that a sale has lost do not come back with it. */
const voided = ({ status }: Sale) =>
  `${status === 'Requires Attention' ? 'The items that are left' : 'All items'} go back into stock. A voided sale stays voided.`

/** The effect of a new status that cannot be taken back; undefined for others. */
function whatHappens(to: SaleStatus, sale: Sale): string | undefined {
  if (to === sale.status) return undefined
  if (to === 'Voided') return voided(sale)
  if (to === 'Dispatched') return 'Saving marks the items as dispatched. After that they can only be returned.'
  return undefined
}

/**
 * Asks before a change of status that makes documents: voiding a sale, and resubmitting one whose invoice is final.
 * Returns true if the person agrees.
 */
async function askAboutDocuments({ status }: Values, sale: Sale): Promise<boolean> {
  if (status === sale.status) return true
  const note = status === 'Voided' ? voidNote(sale) : undefined
  if (note) return confirmDialog(voided(sale), 'Void', { note })
  const resubmitted = sale.status === 'Requires Attention' ? resubmitNote(sale) : undefined
  return !resubmitted || confirmDialog(resubmitted, 'Resubmit')
}

/** The form with the fields of a sale. */
export function GeneralInfo({ sale, handle }: { sale: Sale; handle: Ref<GeneralInfoHandle> }) {
  const next = useRef<() => void>(null)
  const area = useMemo(() => generalArea(handle, next), [handle])
  const saved = () => {
    // The number of sales that require attention may have changed, and the session carries it.
    refetchAuth().catch(() => {})
    next.current?.()
    next.current = null
  }
  return <RecordForm area={area} row={sale} onSaved={saved} />
}

/** Called after the next save. */
type Next = RefObject<(() => void) | null>

const generalArea = (handle: Ref<GeneralInfoHandle>, next: Next): RecordArea<Sale, Values> => ({
  area: 'sale',
  title: 'Sales Overview',
  alsoChanges: ['stock', 'batch'],
  values: (sale) => ({
    status: sale?.status ?? 'New',
    reference_number: sale?.reference_number ?? '',
    courier: sale?.courier ?? '',
    outbound_tracking_number: sale?.outbound_tracking_number ?? '',
  }),
  ask: askAboutDocuments,
  fields: (form, { row }) => row && <Fields form={form} sale={row} handle={handle} next={next} />,
})

type FieldsProps = { form: RecordFormOf<Values>; sale: Sale; handle: Ref<GeneralInfoHandle>; next: Next }

function Fields({ form, sale, handle, next }: FieldsProps) {
  const element = useRef<HTMLDivElement>(null)
  useImperativeHandle(handle, () => ({
    move(to) {
      form.setFieldValue('status', to)
      element.current?.closest('form')?.requestSubmit()
      const status = element.current?.querySelector('input')
      if (status) focusInSection(status)
    },
    saveThen(go) {
      if (!form.isDirty()) return go()
      next.current = go
      element.current?.closest('form')?.requestSubmit()
    },
  }))
  const allowed = allowedSaleStatuses(sale.status)
  return (
    <div ref={element}>
      <FieldGrid>
        <Select
          label="Status"
          data={allowed.length > 0 ? [...allowed] : [sale.status]}
          disabled={allowed.length === 0}
          description={whatHappens(form.values.status, sale)}
          {...form.getInputProps('status')}
        />
        <TextField label="Reference number" autoComplete="off" {...form.getInputProps('reference_number')} />
        <TextField label="Courier" autoComplete="off" {...form.getInputProps('courier')} />
        <TextField
          label="Outbound tracking number"
          autoComplete="off"
          {...form.getInputProps('outbound_tracking_number')}
        />
      </FieldGrid>
    </div>
  )
}
