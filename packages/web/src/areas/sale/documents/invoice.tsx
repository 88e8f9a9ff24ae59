import type { WriteAnswer } from '@backstock/contract/answer.ts'
import type { InvoiceLanguage } from '@backstock/contract/invoice-language.ts'
import type { Sale } from '@backstock/contract/sale.ts'
import { Button, FileButton, Menu, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { confirmDialog, errorDialog } from '../../../ui/feedback/confirm-dialog.tsx'
import { sameFileAgain } from '../../../ui/fields/same-file-again.ts'
import { DANGER } from '../../../ui/layout/theme.ts'
import { LANGUAGES } from '../../../widgets/language-choices.ts'
import { rereadSoon } from '../../document/reread-soon.ts'
import { standingInvoice } from '../sale-papers.ts'
import { useSaleWrites } from '../sale-record.ts'
import { DocumentFacts, DocumentFiles, Download, More, Part } from './part.tsx'
import { uploadPdf } from './pdf-upload.ts'
import { DocumentState } from './state.tsx'

/** Why the invoice cannot be downloaded. A voided sale may have none. */
const BEING_MADE = 'It is being made.'
const NO_INVOICE = 'This sale has no invoice.'

/** The standing invoice of a sale. If there is none, the button that makes one takes its place. */
export function InvoicePart({ sale }: { sale: Sale }) {
  const { id, invoice_status, invoice_number } = sale
  const document = standingInvoice(sale)
  const [lang, setLang] = useState<InvoiceLanguage>(sale.usual_lang)
  /** True if the person wants another invoice and still chooses its language. */
  const [again, setAgain] = useState(false)
  const { running, run } = useSaleWrites(id)
  const generate = async () => {
    const made = await run('generate', () =>
      api.post<WriteAnswer<Sale>>(`sale/${id}/invoice/generate`, { body: { lang } }),
    )
    if (made) setAgain(false)
  }
  const remove = async () => {
    if (await confirmDialog('Are you sure you want to delete the invoice?', 'Delete'))
      await run('delete', () => api.del<WriteAnswer<Sale>>(`sale/${id}/invoice/delete`))
  }
  const upload = (file: File | null) => {
    if (!file) return
    if (!file.name.toLowerCase().endsWith('.pdf')) errorDialog('Only PDF files are allowed')
    else void run('upload', () => uploadPdf(id, 'invoice', file))
  }
  const isVoided = sale.status === 'Voided'
  const isMissing = invoice_status === 'none' || invoice_status === 'failed'
  // The accounts need the file of every numbered invoice, also if the sale is voided.
  const mayGenerate = isMissing ? !isVoided || invoice_number !== null : again && !isVoided
  const title = invoice_number ? `Invoice ${invoice_number}` : 'Invoice'
  const download = (
    <Download
      path={`sale/${id}/invoice`}
      lacks={invoice_status === 'ready' ? undefined : invoice_status === 'pending' ? BEING_MADE : NO_INVOICE}
      onClick={rereadSoon}
    >
      Download invoice
    </Download>
  )
  return (
    <Part
      title={title}
      state={
        <DocumentState
          status={invoice_status}
          note={sale.invoice_uploaded ? 'Uploaded' : undefined}
          error={sale.invoice_uploaded ? null : document?.error}
        />
      }
      facts={document && <DocumentFacts document={document} sale={sale} />}
    >
      {mayGenerate ? (
        <>
          <NativeSelect
            aria-label="Language of the invoice"
            autoFocus={again}
            value={lang}
            onChange={(event) => setLang(event.currentTarget.value as InvoiceLanguage)}
            data={LANGUAGES}
          />
          <Button variant="default" loading={running === 'generate'} onClick={() => void generate()}>
            {invoice_status === 'none' ? 'Generate invoice' : 'Generate again'}
          </Button>
        </>
      ) : document ? (
        <DocumentFiles name={title} document={document} sale={sale} pdf={download} />
      ) : (
        download
      )}
      <FileButton
        accept="application/pdf,.pdf"
        onChange={upload}
        inputProps={{ 'aria-label': 'Invoice as a PDF file', onClick: sameFileAgain }}
      >
        {(file) => (
          <More label="More about the invoice" loading={running !== null && !isMissing}>
            {!isMissing && !isVoided && (
              <Menu.Item onClick={() => setAgain(!again)}>
                {again ? 'Do not generate again' : 'Generate again'}
              </Menu.Item>
            )}
            <Menu.Item onClick={file.onClick}>Upload PDF</Menu.Item>
            {invoice_status !== 'none' && (
              <Menu.Item color={DANGER} onClick={() => void remove()}>
                Delete invoice
              </Menu.Item>
            )}
          </More>
        )}
      </FileButton>
    </Part>
  )
}
