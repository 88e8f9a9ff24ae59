import type { SaleStatus } from '@backstock/contract/sale-status.ts'
import { conflict } from '../../http/refusal.ts'

/** Throws 409 if a sale is voided. It keeps its documents and mails, and gets no new ones. */
export function refuseVoided({ id, status }: { id: number; status: SaleStatus }): void {
  if (status === 'Voided') throw conflict(`Sale #${id} is voided: no more documents are made or sent for it.`)
}
