import type { SaleStatus } from '@backstock/contract/sale-status.ts'
import { conflict } from '../../http/refusal.ts'

/** 409 for a voided sale: it keeps the documents and mails that it has, and gets no others. */
export function refuseVoided({ id, status }: { id: number; status: SaleStatus }): void {
  if (status === 'Voided') throw conflict(`Sale #${id} is voided: it gets no new documents and no more emails.`)
}
