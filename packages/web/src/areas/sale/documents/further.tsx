import type { Document } from '@backstock/contract/document.ts'
import { DOCUMENT_NAMES } from '@backstock/contract/document-kind.ts'
import type { Sale } from '@backstock/contract/sale.ts'
import { Button } from '@mantine/core'
import { useRef } from 'react'
import { api, idempotencyKey } from '../../../api/client.ts'
import { queryClient } from '../../../api/query-client.ts'
import { record } from '../../../api/reads.ts'
import { confirmDialog } from '../../../ui/feedback/confirm-dialog.tsx'
import { useSaleWrites } from '../sale-record.ts'
import { DocumentFacts, DocumentFiles, DocumentPdf, Part } from './part.tsx'
import { DocumentState } from './state.tsx'

/** A document other than the standing invoice: a credit note, or a replaced invoice. */
export function FurtherDocument({ document, sale }: { document: Document; sale: Sale }) {
  const { id, kind, number, status, error } = document
  const { running, run } = useSaleWrites(sale.id)
  /** The idempotency key. It changes when the mail is queued, so that a repeated click sends no second mail. */
  const key = useRef(idempotencyKey())
  const name = `${DOCUMENT_NAMES[kind]} ${number}`
  const saleAfter = async (write: Promise<unknown>) => {
    await write
    return { data: await queryClient.fetchQuery({ ...record<Sale>('sale', sale.id), staleTime: 0 }) }
  }
  const queueMail = async () => {
    await api.post(`document/${id}/send`, { idempotent: key.current })
    key.current = idempotencyKey()
  }
  const send = async () => {
    const newer = sale.documents.find((one) => one.id === document.replaced_by_id)
    const old = newer ? ` ${newer.number} has replaced it.` : ''
    if (!(await confirmDialog(`${name} goes to ${sale.customer.email}.${old}`, 'Send'))) return
    await run('send', () => saleAfter(queueMail()))
  }
  const generate = () => run('generate', () => saleAfter(api.post(`document/${id}/generate`, { body: {} })))
  return (
    <Part
      title={name}
      state={<DocumentState status={status} error={error} />}
      facts={<DocumentFacts document={document} sale={sale} />}
    >
      <DocumentFiles
        name={name}
        document={document}
        sale={sale}
        pdf={<DocumentPdf name={name} document={document} />}
      />
      {status === 'failed' && (
        <Button
          variant="default"
          aria-label={`Generate ${name} again`}
          loading={running === 'generate'}
          onClick={() => void generate()}
        >
          Generate again
        </Button>
      )}
      <Button
        variant="default"
        aria-label={`Send ${name}`}
        disabled={status === 'none' || status === 'failed'}
        loading={running === 'send'}
        onClick={() => void send()}
      >
        Send
      </Button>
    </Part>
  )
}
