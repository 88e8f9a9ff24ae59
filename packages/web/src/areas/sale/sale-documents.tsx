import type { WriteAnswer } from '@backstock/contract/answer.ts'
import { type InvoiceLanguage, LANGUAGE_NAMES } from '@backstock/contract/invoice-language.ts'
import type { Sale } from '@backstock/contract/sale.ts'
import { Alert, Button, FileButton, NativeSelect } from '@mantine/core'
import { type ReactNode, useRef, useState } from 'react'
import { api, apiUrl, idempotencyKey } from '../../api/client.ts'
import { confirmDialog, errorDialog } from '../../ui/confirm-dialog.tsx'
import { sameFileAgain } from '../../ui/same-file-again.ts'
import { DocumentState, MailState } from './document-state.tsx'
import { uploadPdf } from './pdf-upload.ts'
import classes from './sale.module.css'
import { useSaleWrites } from './sale-record.ts'

/** The invoice, the Excel sheet and the email of a sale. */
export function SaleDocuments({ sale }: { sale: Sale }) {
  return (
    <div className={classes['documents']}>
      {sale.missing_invoice_data.length > 0 && (
        <Alert color="orange">The invoice lacks: {sale.missing_invoice_data.join(', ')}.</Alert>
      )}
      <Invoice sale={sale} />
      <Sheet sale={sale} />
      <Email sale={sale} />
    </div>
  )
}

type PartProps = { title: string; state: ReactNode; children: ReactNode }

function Part({ title, state, children }: PartProps) {
  return (
    <section className={classes['document']}>
      <h3>{title}</h3>
      <div className={classes['state']} aria-live="polite">
        {state}
      </div>
      <div className={classes['actions']}>{children}</div>
    </section>
  )
}

function Download({ path, children }: { path: string; children: ReactNode }) {
  return (
    <Button component="a" href={apiUrl(path)} target="_blank" variant="default">
      {children}
    </Button>
  )
}

function Invoice({ sale }: { sale: Sale }) {
  const { id, invoice_status, invoice_number } = sale
  const [lang, setLang] = useState<InvoiceLanguage>('en')
  const { running, run } = useSaleWrites(id)
  const generate = () => api.post<WriteAnswer<Sale>>(`sale/${id}/invoice/generate`, { body: { lang } })
  const remove = async () => {
    if (await confirmDialog('Are you sure you want to delete the invoice?', 'Delete'))
      await run('delete', () => api.del<WriteAnswer<Sale>>(`sale/${id}/invoice/delete`))
  }
  const upload = (file: File | null) => {
    if (!file) return
    if (!file.name.toLowerCase().endsWith('.pdf')) errorDialog('Only PDF files are allowed')
    else void run('upload', () => uploadPdf(id, 'invoice', file))
  }
  const never = sale.status === 'Voided' && invoice_number === null
  return (
    <Part
      title={invoice_number ? `Invoice ${invoice_number}` : 'Invoice'}
      state={<DocumentState status={invoice_status} note={sale.invoice_uploaded ? 'Uploaded' : undefined} />}
    >
      {invoice_status === 'ready' && <Download path={`sale/${id}/invoice`}>Download invoice</Download>}
      <NativeSelect
        aria-label="Language of the invoice"
        value={lang}
        disabled={never}
        onChange={(event) => setLang(event.currentTarget.value as InvoiceLanguage)}
        data={Object.entries(LANGUAGE_NAMES).map(([value, label]) => ({ value, label }))}
      />
      <Button
        variant="default"
        disabled={never}
        loading={running === 'generate'}
        onClick={() => void run('generate', generate)}
      >
        {invoice_status === 'none' ? 'Generate invoice' : 'Generate again'}
      </Button>
      <FileButton
        accept="application/pdf,.pdf"
        onChange={upload}
        inputProps={{ 'aria-label': 'Invoice as a PDF file', onClick: sameFileAgain }}
      >
        {(props) => (
          <Button {...props} variant="default" loading={running === 'upload'}>
            Upload PDF
          </Button>
        )}
      </FileButton>
      {invoice_status !== 'none' && (
        <Button variant="default" loading={running === 'delete'} onClick={() => void remove()}>
          Delete invoice
        </Button>
      )}
    </Part>
  )
}

function Sheet({ sale: { id, excel_status, invoice_excel } }: { sale: Sale }) {
  const { running, run } = useSaleWrites(id)
  const generate = () => api.post<WriteAnswer<Sale>>(`sale/${id}/invoice/excel/generate`)
  return (
    <Part title="Excel" state={<DocumentState status={excel_status} />}>
      {excel_status === 'ready' && invoice_excel && <Download path={`sale/${id}/excel`}>Download Excel</Download>}
      <Button variant="default" loading={running !== null} onClick={() => void run('generate', generate)}>
        {excel_status === 'none' ? 'Generate Excel' : 'Generate again'}
      </Button>
    </Part>
  )
}

function Email({ sale }: { sale: Sale }) {
  const { id, mail } = sale
  const { running, run } = useSaleWrites(id)
  /** One key for one intention: it changes once the email is on its way. */
  const key = useRef(idempotencyKey())
  const resend = async () => {
    if (!(await confirmDialog('Are you sure you want to resend the invoice email?', 'Resend'))) return
    const send = () => api.post<WriteAnswer<Sale>>(`sale/${id}/invoice/resend`, { idempotent: key.current })
    if (await run('resend', send)) key.current = idempotencyKey()
  }
  const nothingToSend = !mail && sale.invoice_status === 'none'
  return (
    <Part title="Email" state={<MailState mail={mail} />}>
      {sale.resend_needed && (
        <Alert color="orange" w="100%">
          {sale.email_sent
            ? 'The invoice has been made again since the email went out. Resend it.'
            : 'The invoice has been made again. Send it to the customer.'}
        </Alert>
      )}
      <Button
        variant="default"
        disabled={nothingToSend || mail?.state === 'sending'}
        loading={running !== null}
        onClick={() => void resend()}
      >
        Resend email
      </Button>
    </Part>
  )
}
