import type { Document } from '@backstock/contract/document.ts'
import { DOCUMENT_NAMES } from '@backstock/contract/document-kind.ts'
import { PROFILE_NAMES } from '@backstock/contract/e-invoice-profile.ts'
import { api } from '../../api/client.ts'
import { confirmDialog } from '../../ui/feedback/confirm-dialog.tsx'
import { formatDateTime } from '../../ui/values/date-text.tsx'

/** Whether a person may hand over a document now: it has a profile, is valid, and was not handed over yet. */
export const mayHandOver = ({ profile, status, is_void, handover }: Document, hasConnector: boolean): boolean =>
  hasConnector &&
  profile !== null &&
  status !== 'none' &&
  !is_void &&
  (handover === null || handover.state === 'failed')

/** The state of the handover in words; undefined if nobody has ordered one. */
export function handoverWords({ handover }: Pick<Document, 'handover'>): string | undefined {
  if (!handover) return undefined
  const { state, error, person, at } = handover
  if (state === 'waiting') return 'Being handed over…'
  if (state === 'failed') return `Not handed over: ${error}`
  return `Handed over ${formatDateTime(at)}${person === null ? '' : ` by ${person}`}`
}

/** Asks, and orders the handover. Returns false if the person does not agree. */
export async function handOver({ id, kind, number, profile, buyer_name }: Document): Promise<boolean> {
  if (profile === null) return false
  const name = `${DOCUMENT_NAMES[kind]} ${number}`
  const question = `${name} is put into the folder of your e-invoice service, which sends it to ${buyer_name} as ${PROFILE_NAMES[profile]}. It becomes final, and can be handed over only once.`
  if (!(await confirmDialog(question, 'Hand over'))) return false
  await api.post(`document/${id}/hand-over`)
  return true
}
