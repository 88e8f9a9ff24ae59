import { EXCEL_FROM_ITEMS } from '@backstock/contract/sale-status.ts'
import { useDeferredValue, useMemo } from 'react'
import type { DraftCustomer } from './customer.tsx'
import { draftFigures } from './figures.ts'
import type { SaleSource } from './items-source.ts'
import { type Draft, sellable } from './lines.ts'
import type { DraftOptions } from './options.tsx'
import { draftTax, refusedLines } from './tax.ts'
import { useInvoiceLacks } from './use-invoice-lacks.ts'
import { useDraftTax } from './use-tax.ts'

export type DraftFigures = ReturnType<typeof useDraftFigures>

/**
 * The figures of a new sale, from its parts: the lines to sell, their VAT and totals, and the facts that the invoice
 * would lack. All but `selling`, `excel` and `totals` may be one drawing late.
 */
export function useDraftFigures(
  { facts, vats }: SaleSource,
  { draft, customer, options }: { draft: Draft; customer: DraftCustomer; options: DraftOptions },
) {
  const { includeVat } = options
  const selling = useMemo(() => sellable(draft.lines), [draft.lines])
  const shown = useDeferredValue(selling)
  const deciding = useDraftTax(facts, vats, customer)
  const tax = useMemo(() => draftTax(shown, deciding, includeVat), [shown, deciding, includeVat])
  const figures = useMemo(() => draftFigures(shown, tax, includeVat), [shown, tax, includeVat])
  const lacks = useInvoiceLacks(customer, {
    lines: shown,
    tax,
    vats,
    wanted: options.create_invoice,
    reference_number: options.reference_number,
  })
  const refused = useMemo(() => refusedLines(shown, tax), [shown, tax])
  return {
    selling,
    shown,
    tax,
    figures,
    lacks,
    refused,
    excel: options.create_excel ?? selling.length > EXCEL_FROM_ITEMS,
    home: deciding.facts?.seller.country_code ?? null,
    usualLang: deciding.usualLang,
    /** Calculates the totals of what is typed now. */
    totals: () => draftFigures(selling, draftTax(selling, deciding, includeVat), includeVat),
  }
}
