import { ADDRESS_KINDS, addressParts } from '@backstock/contract/electronic-address.ts'
import { SearchSelect } from '../ui/fields/search-select.tsx'
import { TextField, type TextFieldProps } from '../ui/fields/text-field.tsx'

/** The kinds with their codes, in the order of their names. */
const KINDS = Object.entries(ADDRESS_KINDS)
  .map(([value, { name }]) => ({ value, label: `${name} (${value})` }))
  .toSorted((a, b) => a.label.localeCompare(b.label, 'en'))

type Props = Omit<TextFieldProps, 'value' | 'onChange'> & { value?: string; onChange?: (value: string) => void }

/**
 * Two fields for the address under which a party takes e-invoices: its kind and its identifier. The value is both in the
 * notation of Peppol, such as `0106:12345678`, which people can also paste into the second field.
 */
export function ElectronicAddressFields({ value = '', onChange, ...field }: Props) {
  const { scheme, id } = addressParts(value)
  const change = (kind: string | null, typed: string) => onChange?.(kind ? `${kind}:${typed}` : typed)
  return (
    <>
      <SearchSelect
        label="Kind of electronic address"
        description="The register or list that the number comes from."
        data={KINDS}
        clearable
        value={scheme || null}
        onChange={(kind) => change(kind, id)}
      />
      <TextField
        label="Electronic address"
        description="The number alone. You can also paste kind and number together, such as 0106:12345678."
        autoComplete="off"
        {...field}
        value={id}
        onChange={(event) => change(scheme, event.currentTarget.value)}
      />
    </>
  )
}
