import type { Customer } from '@backstock/contract/customer.ts'
import { usualLanguage } from '@backstock/contract/invoice-language.ts'
import type { TaxFacts } from '@backstock/contract/tax-facts.ts'
import type { Vat } from '@backstock/contract/vat.ts'
import { isForVies } from '@backstock/contract/vat-check-doubt.ts'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { record } from '../../../api/reads.ts'
import { vatChecks } from '../../vat-check/reads.ts'
import type { DraftCustomer } from './customer.tsx'
import { buyerOf, draftChecks, itemTaxReader, saleTax } from './tax.ts'

/**
 * The facts that decide the VAT of a sale's items (`facts` of the server, the buyer's and the items' own), and the usual
 * language of the buyer's invoices.
 */
export function useDraftTax(facts: TaxFacts | undefined, vats: readonly Vat[], customer: DraftCustomer) {
  const { isNew, id, typed } = customer
  const isChosen = !isNew && id !== null
  const { data: known } = useQuery({ ...record<Customer>('customer', id ?? 0), enabled: isChosen })
  const { data: checks } = useQuery({
    ...vatChecks(id ?? 0),
    enabled: isChosen && isForVies(known?.vat_number ?? null),
  })
  const { customer_country_code: country, customer_postal_code: postalCode, customer_vat_number: vatNumber } = typed
  return useMemo(() => {
    const place = {
      country_code: country || null,
      postal_code: postalCode || null,
      vat_number: vatNumber.trim() || null,
    }
    const chosen = isChosen ? known : undefined
    const buyer = buyerOf(isNew ? place : null, chosen, facts?.seller.country_code ?? null)
    return {
      facts,
      sale: saleTax(facts, buyer),
      checks: draftChecks(isChosen ? id : null, isChosen ? checks : undefined, facts),
      itemTax: itemTaxReader(vats, facts),
      /** Null if no customer is chosen or entered yet. */
      usualLang: isNew || chosen ? usualLanguage(chosen?.lang ?? null) : null,
    }
  }, [facts, isNew, country, postalCode, vatNumber, isChosen, id, known, checks, vats])
}
