import type { WriteAnswer } from '@backstock/contract/answer.ts'
import type { Sale } from '@backstock/contract/sale.ts'
import { Alert, Button, Menu } from '@mantine/core'
import { Suspense, useRef } from 'react'
import { api, idempotencyKey } from '../../../api/client.ts'
import { lazyPart } from '../../../api/lazy-part.ts'
import { confirmDialog } from '../../../ui/feedback/confirm-dialog.tsx'
import { TextLink } from '../../../ui/values/link.tsx'
import classes from '../sale.module.css'
import { furtherDocuments, mayCorrect } from '../sale-papers.ts'
import { useSaleWrites } from '../sale-record.ts'
import { FurtherDocument } from './further.tsx'
import { InvoicePart } from './invoice.tsx'
import { Download, FinalNote, More, Part } from './part.tsx'
import { DocumentState, MailState } from './state.tsx'

const SaleLacks = lazyPart(() => import('./lacks.tsx'))

/** The section with the invoices and credit notes of a sale, its Excel sheet and its mail. */
export function SaleDocuments({ sale }: { sale: Sale }) {
  return (
    <section className={classes['documents']} aria-labelledby="documents">
      <div>
        <h3 id="documents">Documents</h3>
        {sale.documents.length > 0 && <FinalNote />}
      </div>
      {sale.missing_sides.length > 0 && (
        <Suspense>
          <SaleLacks sale={sale} />
        </Suspense>
      )}
      {sale.invoice_differs.length > 0 && mayCorrect(sale) && (
        <Alert color="gray">
          Since the sale was made, {listed(sale.invoice_differs)} changed. The invoice has the old details:{' '}
          <TextLink
            to={`/admin/sale/correct/${sale.id}`}
            search={{ customer: 'now' } as never}
            inherit
            underline="always"
          >
            correct it
          </TextLink>
          .
        </Alert>
      )}
      <InvoicePart sale={sale} />
      {furtherDocuments(sale).map((document) => (
        <FurtherDocument key={document.id} document={document} sale={sale} />
      ))}
      <Sheet sale={sale} />
      <Email sale={sale} />
    </section>
  )
}

const listed = (facts: readonly string[]) =>
  `${new Intl.ListFormat('en').format(facts)} ${facts.length === 1 ? 'has' : 'have'}`

function Sheet({ sale }: { sale: Sale }) {
  const { id, excel_status, invoice_excel } = sale
  const { running, run } = useSaleWrites(id)
  const generate = () => void run('generate', () => api.post<WriteAnswer<Sale>>(`sale/${id}/invoice/excel/generate`))
  const mayGenerate = sale.status !== 'Voided'
  const isMissing = excel_status === 'none' || excel_status === 'failed'
  return (
    <Part title="Excel" state={<DocumentState status={excel_status} />}>
      {excel_status === 'ready' && invoice_excel && <Download path={`sale/${id}/excel`}>Download Excel</Download>}
      {mayGenerate && isMissing && (
        <Button variant="default" loading={running !== null} onClick={generate}>
          {excel_status === 'none' ? 'Generate Excel' : 'Generate again'}
        </Button>
      )}
      {mayGenerate && !isMissing && (
        <More label="More about the Excel sheet" loading={running !== null}>
          <Menu.Item onClick={generate}>Generate again</Menu.Item>
        </More>
      )}
    </Part>
  )
}

/** A list of the mails before the newest one. It starts unfolded if one of them failed or may not have arrived. */
function EarlierMails({ mails }: { mails: Sale['earlier_mails'] }) {
  const doubtful = mails.filter(({ state }) => state === 'failed' || state === 'unclear').length
  const count = mails.length === 1 ? '1 earlier email' : `${mails.length} earlier emails`
  return (
    <details className={classes['earlierMails']} open={doubtful > 0}>
      <summary>{doubtful > 0 ? `${count}, ${doubtful} failed or unclear` : count}</summary>
      <ul>
        {mails.map((mail) => (
          <li key={mail.id} className={classes['state']}>
            <MailState mail={mail} />
          </li>
        ))}
      </ul>
    </details>
  )
}

function Email({ sale }: { sale: Sale }) {
  const { id, mail, earlier_mails } = sale
  const { running, run } = useSaleWrites(id)
  const wasSent = sale.email_sent && mail?.saved_as == null
  /** The idempotency key. It changes when the mail is queued, so that a repeated click sends no second mail. */
  const key = useRef(idempotencyKey())
  const resend = async () => {
    const agreed = wasSent
      ? confirmDialog('Are you sure you want to resend the invoice email?', 'Resend')
      : confirmDialog('Are you sure you want to send the invoice email?', 'Send')
    if (!(await agreed)) return
    const send = () => api.post<WriteAnswer<Sale>>(`sale/${id}/invoice/resend`, { idempotent: key.current })
    if (await run('resend', send)) key.current = idempotencyKey()
  }
  const nothingToSend = !mail && sale.invoice_status === 'none'
  const maySend = sale.status !== 'Voided'
  const isOutdated = maySend && sale.resend_needed
  return (
    <Part
      title="Email"
      state={<MailState mail={mail} />}
      note={
        <>
          {isOutdated && (
            <Alert color="orange" w="100%">
              {wasSent
                ? 'The invoice has been made again since the email went out. Resend it.'
                : 'The invoice has been made again. Send it to the customer.'}
            </Alert>
          )}
          {earlier_mails.length > 0 && <EarlierMails mails={earlier_mails} />}
        </>
      }
    >
      {maySend && (
        <Button
          variant="default"
          disabled={nothingToSend || mail?.state === 'sending'}
          loading={running !== null}
          onClick={() => void resend()}
        >
          {wasSent ? 'Resend email' : 'Send email'}
        </Button>
      )}
    </Part>
  )
}
