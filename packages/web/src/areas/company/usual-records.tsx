import { countryName } from '@backstock/contract/country.ts'
import type { Page } from '@backstock/contract/page.ts'
import { USUAL_CATEGORIES } from '@backstock/contract/usual-categories.ts'
import { usualVat } from '@backstock/contract/usual-vat.ts'
import { Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { find } from '../../api/reads.ts'
import type { RecordFormOf } from '../../crud/area.ts'
import type { CompanyValues } from './values.ts'

export const VAT_RATES = find('vat', { per_page: 1 })

/**
 * The VAT rates of this country, which the form offers to add. Empty if the shop has rates, or if that is not known
 * yet.
 */
export const offeredVat = (rates: Page<unknown> | undefined, country: string | null) =>
  rates?.total === 0 && country !== null ? usualVat(country) : []

/** The note under a switch that adds records to a shop without any. */
const addedOnSave = (names: readonly string[]) => `You have none yet. If this is on, saving adds ${names.join(', ')}.`

/** Offers a new shop the VAT rates of its country. They are added when the profile is saved. */
export function UsualVat({ form }: { form: RecordFormOf<CompanyValues> }) {
  const { data: rates } = useQuery(VAT_RATES)
  const country = form.values.country_code
  const usual = offeredVat(rates, country)
  if (usual.length === 0) return null
  return (
    <Switch
      label={`Add the usual VAT rates (${countryName(country)})`}
      description={addedOnSave(usual.map(({ name, rate }) => `${name} ${rate}%`))}
      {...form.getInputProps('with_usual_vat', { type: 'checkbox' })}
    />
  )
}

export const CATEGORIES = find('category', { per_page: 1 })

/** Whether the form offers the usual categories: if the shop has none, and has a country. */
export const offersCategories = (categories: Page<unknown> | undefined, country: string | null) =>
  categories?.total === 0 && country !== null

/** Offers a new shop the usual categories, which products need. They are added when the profile is saved. */
export function UsualCategories({ form }: { form: RecordFormOf<CompanyValues> }) {
  const { data: categories } = useQuery(CATEGORIES)
  if (!offersCategories(categories, form.values.country_code)) return null
  return (
    <Switch
      label="Add the usual categories"
      description={addedOnSave(USUAL_CATEGORIES)}
      {...form.getInputProps('with_usual_categories', { type: 'checkbox' })}
    />
  )
}
