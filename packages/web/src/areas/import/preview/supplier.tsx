import type { ImportPreview, PreviewChanges } from '@backstock/contract/import-preview.ts'
import { memo } from 'react'
import { createNamed } from '../../../api/create-named.ts'
import { RemoteSelect } from '../../../ui/fields/remote-select.tsx'
import { Panel } from '../../../ui/layout/panel.tsx'
import { TextLink } from '../../../ui/values/link.tsx'
import classes from './preview.module.css'

const MEMORY = '/admin/stock/import-memory'

type Props = { supplier: ImportPreview['supplier']; onChange: (changes: PreviewChanges) => void }

/** The supplier of the file. It comes first, because its memory may answer what follows. */
export const PreviewSupplier = memo(function PreviewSupplier({ supplier, onChange }: Props) {
  return (
    <Panel className={classes['supplier'] ?? ''}>
      <div className={classes['supplierField']}>
        <RemoteSelect
          area="supplier"
          label="Supplier"
          create={createNamed('supplier')}
          placeholder="Who sent the file"
          value={supplier?.id ?? null}
          onChange={(supplier_id) => onChange({ supplier_id })}
        />
      </div>
      <p className={classes['supplierHint']}>
        <span>
          {supplier
            ? 'Columns, names and values that you choose are remembered for it, except prices, dates and status. '
            : 'Columns that you choose are remembered for you. '}
        </span>
        <TextLink
          to={MEMORY}
          underline="always"
          {...(supplier && { search: { supplier_id: String(supplier.id) } })}
          size="sm"
        >
          See what is remembered
        </TextLink>
      </p>
    </Panel>
  )
})
