import { Switch } from '@mantine/core'
import { FieldGrid } from '../../ui/fields/field-grid.tsx'
import { BatchFields } from './batch-form.tsx'
import { JoiningPage } from './joining-page.tsx'

const area = { values: () => ({ name: '', priority: 0 as number | string, is_locked: false }) }

export default function BatchCreatePage() {
  return (
    <JoiningPage
      title="New Batch"
      area={area}
      saveLabel="Create"
      fields={(form) => (
        <FieldGrid>
          <BatchFields form={form} />
          <Switch
            label="Locked"
            description="A locked batch neither gains nor loses items."
            {...form.getInputProps('is_locked', { type: 'checkbox' })}
          />
        </FieldGrid>
      )}
    />
  )
}
