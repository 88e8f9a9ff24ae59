import { z } from 'zod'
import { CountryCode } from './address.ts'
import { Email, LoadedAt, optionalText, optionalVatNumber, requiredText, Timestamp } from './fields.ts'
import { LogEntry } from './log.ts'
import { listQuery } from './page.ts'
import { RECEIPT_KINDS } from './receipt-kind.ts'
import { PURCHASE_TREATMENTS } from './treatment.ts'
import { PurchaseTreatmentField } from './treatment-fields.ts'

export const Supplier = z.object({
  id: z.int(),
  company_name: z.string(),
  first_name: z.string().nullable(),
  last_name: z.string().nullable(),
  full_name: z.string(),
  email_address: z.string().nullable(),
  phone_number: z.string().nullable(),
  vat_number: z.string().nullable(),
  country_code: z.string().nullable(),
  default_purchase_treatment: z.enum(PURCHASE_TREATMENTS),
  /** Whether the shop issues the purchase document for this supplier; null if the supplier issues invoices. */
  receipt_kind: z.enum(RECEIPT_KINDS).nullable(),
  created_at: Timestamp,
  updated_at: Timestamp,
  logs: z.array(LogEntry).optional(),
})
export type Supplier = z.infer<typeof Supplier>

/** The fields of a supplier that the quick search shows. */
export const SupplierHit = Supplier.pick({ id: true, company_name: true })

export const SupplierInput = z.object({
  company_name: requiredText(),
  first_name: optionalText().optional(),
  last_name: optionalText().optional(),
  email_address: z.preprocess((value) => (value === '' ? null : value), Email.nullable()).optional(),
  phone_number: optionalText().optional(),
  vat_number: optionalVatNumber().optional(),
  country_code: CountryCode.optional(),
  /** The treatment of purchases from this supplier, for items that have no treatment of their own. */
  default_purchase_treatment: PurchaseTreatmentField.optional(),
  /** Whether the shop issues the purchase document for this supplier; null if the supplier does. */
  receipt_kind: z
    .preprocess(
      (value) => (value === '' ? null : value),
      z.enum(RECEIPT_KINDS, { error: `Must be one of ${RECEIPT_KINDS.join(', ')}.` }).nullable(),
    )
    .optional(),
  updated_at: LoadedAt,
})
export type SupplierInput = z.infer<typeof SupplierInput>

export const SupplierQuery = listQuery(['id', 'company_name', 'first_name', 'last_name', 'email_address'], {})
