import { z } from 'zod'
import { E_INVOICE_PROFILES } from './e-invoice-profile.ts'

/**
 * The missing data in words, by the page on which they can be filled: the company's, the customer's, that of the VAT
 * types.
 */
export const Lacks = z.object({ seller: z.array(z.string()), buyer: z.array(z.string()), items: z.array(z.string()) })
export type Lacks = z.infer<typeof Lacks>

/** The pages on which missing data can be filled in. */
export const LACKING_SIDES = ['seller', 'buyer', 'items'] as const satisfies readonly (keyof Lacks)[]

/** The data that are missing for the e-invoice profile of the customer; null if the customer asks for no profile. */
export const ProfileLacks = Lacks.extend({ profile: z.enum(E_INVOICE_PROFILES) }).nullable()
export type ProfileLacks = z.infer<typeof ProfileLacks>
