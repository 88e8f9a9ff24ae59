import { z } from 'zod'
import { isCountryCode } from './country.ts'
import { optionalText } from './fields.ts'

/** `country` is the English name that belongs to `country_code`. */
export const Address = z.object({
  id: z.int().nullable(),
  address_1: z.string().nullable(),
  address_2: z.string().nullable(),
  city: z.string().nullable(),
  state: z.string().nullable(),
  postal_code: z.string().nullable(),
  country_code: z.string().nullable(),
  country: z.string().nullable(),
})
export type Address = z.infer<typeof Address>

const needed = ['address_1', 'city', 'postal_code', 'country_code'] as const

export const CountryCode = z.preprocess(
  (value) => (typeof value === 'string' ? value.trim().toUpperCase() || null : value),
  z.string({ error: 'Must be a country.' }).refine(isCountryCode, 'Must be a country from the list.').nullable(),
)

/**
 * All fields may be empty. If one is filled, address line 1, city, postal code and country are required. Null in place
 * of an address removes it.
 */
export const AddressInput = z
  .object({
    address_1: optionalText().default(null),
    address_2: optionalText().default(null),
    city: optionalText().default(null),
    state: optionalText().default(null),
    postal_code: optionalText().default(null),
    country_code: CountryCode.default(null),
  })
  .superRefine((address, context) => {
    if (Object.values(address).every((part) => part === null)) return
    for (const field of needed)
      if (address[field] === null)
        context.addIssue({ code: 'custom', path: [field], message: 'This field is required in an address.' })
  })
export type AddressInput = z.infer<typeof AddressInput>
