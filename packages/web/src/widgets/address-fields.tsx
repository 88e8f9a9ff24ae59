import type { Address } from '@backstock/contract/address.ts'
import { COUNTRIES } from '@backstock/contract/country.ts'
import type { UseFormReturnType } from '@mantine/form'
import { FieldGrid } from '../ui/fields/field-grid.tsx'
import { SearchSelect } from '../ui/fields/search-select.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { onAddressPaste, pastedParts } from './address-paste.ts'

export type AddressValues = {
  address_1: string
  address_2: string
  city: string
  state: string
  postal_code: string
  country_code: string | null
}

export function addressValues(address: Address | null | undefined): AddressValues {
  return {
    address_1: address?.address_1 ?? '',
    address_2: address?.address_2 ?? '',
    city: address?.city ?? '',
    state: address?.state ?? '',
    postal_code: address?.postal_code ?? '',
    country_code: address?.country_code ?? null,
  }
}

/** The address for the server; null, which removes the address, if nothing is filled in. */
export function addressInput(values: AddressValues): AddressValues | null {
  return Object.values(values).some((part) => part?.trim()) ? values : null
}

/** The options of a country select, sorted by English name. */
export const COUNTRY_CHOICES = Object.entries(COUNTRIES)
  .map(([value, label]) => ({ value, label }))
  .sort((a, b) => a.label.localeCompare(b.label, 'en'))

type FieldsProps<Values> = { form: UseFormReturnType<Values>; path: string; isRequired?: boolean }

/**
 * The inputs of an address. `path` names the field of the form that holds the address. `isRequired` marks the inputs
 * that the server demands.
 */
export function AddressFields<Values>({ form, path, isRequired = false }: FieldsProps<Values>) {
  const field = (name: keyof AddressValues) => form.getInputProps(`${path}.${name}` as never)
  const fill = onAddressPaste((parts) => {
    for (const [name, value] of Object.entries(pastedParts(parts)))
      form.setFieldValue(`${path}.${name}` as never, value as never)
  })
  return (
    <FieldGrid>
      <TextField
        label="Address line 1"
        withAsterisk={isRequired}
        autoComplete="off"
        onPaste={fill}
        {...field('address_1')}
      />
      <TextField label="Address line 2" autoComplete="off" {...field('address_2')} />
      <TextField label="Postal code" autoComplete="off" {...field('postal_code')} />
      <TextField label="City" withAsterisk={isRequired} autoComplete="off" {...field('city')} />
      <TextField label="State" autoComplete="off" {...field('state')} />
      <SearchSelect
        label="Country"
        withAsterisk={isRequired}
        data={COUNTRY_CHOICES}
        clearable
        {...field('country_code')}
      />
    </FieldGrid>
  )
}
