import type { GiveUpRules, JobHandlers, JobServices } from '../../jobs.ts'
import { handOver } from '../document/handover.ts'
import { giveUpMail, sendMail } from '../document/mail/send-mail.ts'
import { giveUpDocument, renderDocuments } from '../document/render.ts'
import { giveUpSheet, renderSheet } from './files/render-sheet.ts'

/** The jobs that sales order. If a job was interrupted, it can run again. */
export function saleJobs(
  services: Omit<JobServices, 'log'>,
): Pick<JobHandlers, 'invoice_render' | 'sheet_render' | 'mail_send' | 'hand_over'> {
  return {
    invoice_render: ({ sale_id, user_id }) => renderDocuments(services.db, sale_id, user_id ?? null),
    sheet_render: ({ sale_id, user_id }) => renderSheet(services.db, sale_id, user_id ?? null),
    mail_send: ({ mail_id }) => sendMail(services, mail_id),
    hand_over: ({ document_id }) => handOver(services, document_id),
  }
}

/**
 * The functions that give up such a job after two processes have died while they ran it. A person can order the document,
 * the sheet or the mail again.
 */
export function saleGiveUps({
  config,
}: Pick<JobServices, 'config'>): Pick<GiveUpRules, 'invoice_render' | 'sheet_render' | 'mail_send'> {
  return {
    invoice_render: giveUpDocument,
    sheet_render: giveUpSheet,
    mail_send: (tx, { mail_id }) => giveUpMail(tx, mail_id, config.smtpUrl !== undefined),
  }
}
