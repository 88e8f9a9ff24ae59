import type { Company } from '@backstock/contract/company.ts'
import { shownIban, shownVatNumber } from '@backstock/contract/party-numbers.ts'
import { renamedZone } from '@backstock/contract/time-zone.ts'
import { VAT_CHECK_DAYS } from '@backstock/contract/vat-check-doubt.ts'

/** The company as a record for the form. There is only one such record, and the server gives it no id. */
export type CompanyRow = Company & { id: number }

/** The values of the company's form. */
export function valuesOf(row: CompanyRow | null) {
  return {
    name: row?.name ?? '',
    vat_number: shownVatNumber(row?.vat_number ?? ''),
    tax_number: row?.tax_number ?? '',
    registration: row?.registration ?? '',
    email: row?.email ?? '',
    phone: row?.phone ?? '',
    contact_name: row?.contact_name ?? '',
    electronic_address: row?.electronic_address ?? '',
    address_1: row?.address_1 ?? '',
    address_2: row?.address_2 ?? '',
    postal_code: row?.postal_code ?? '',
    city: row?.city ?? '',
    state: row?.state ?? '',
    country_code: row?.country_code ?? null,
    bank_name: row?.bank_name ?? '',
    iban: shownIban(row?.iban ?? ''),
    bic: row?.bic ?? '',
    payment_terms: row?.payment_terms ?? '',
    payment_days: (row?.payment_days ?? '') as number | string,
    reminder_days: (row?.reminder_days ?? '') as number | string,
    group_invoice_lines: row?.group_invoice_lines ?? false,
    supply_day: row?.supply_day ?? 'country',
    margin_rate: row?.margin_rate?.toString() ?? '',
    margin_method: row?.margin_method ?? 'item',
    vat_check_days: (row?.vat_check_days ?? VAT_CHECK_DAYS) as number | string,
    mail_from: row?.mail_from ?? '',
    time_zone: renamedZone(row?.time_zone ?? 'UTC'),
    with_usual_vat: true,
    with_usual_categories: true,
  }
}
export type CompanyValues = ReturnType<typeof valuesOf>
