import type { BatchRow } from '@backstock/contract/batch.ts'
import { RemoteSelect } from '../../ui/fields/remote-select.tsx'
import { ADD_ITEMS, tellMoved } from './change-batch.ts'
import { JoiningPage } from './joining-page.tsx'

const area = { save: ADD_ITEMS, values: () => ({ batch_id: null as number | null }) }

export default function AddToBatchPage() {
  return (
    <JoiningPage
      title="Add to Batch"
      area={area}
      saveLabel="Add to batch"
      isOfItems
      onMoved={tellMoved}
      fields={(form, from) => (
        <RemoteSelect<BatchRow>
          area="batch"
          label="Batch"
          required
          query={{ order: 'priority_desc' }}
          labelOf={(batch) => `#${batch.id} ${batch.name}${batch.is_locked ? ' (locked)' : ''}`}
          optionDisabled={(batch) => batch.is_locked || batch.id === from}
          {...form.getInputProps('batch_id')}
        />
      )}
    />
  )
}
