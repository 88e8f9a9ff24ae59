import type { WriteAnswer } from '@backstock/contract/answer.ts'
import type { InvoiceLanguage } from '@backstock/contract/invoice-language.ts'
import type { Sale } from '@backstock/contract/sale.ts'
import { ActionIcon, Alert, Button, FileButton, Menu, NativeSelect, Text } from '@mantine/core'
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { api, apiUrl, idempotencyKey } from '../../api/client.ts'
import { confirmDialog, errorDialog } from '../../ui/confirm-dialog.tsx'
import { sameFileAgain } from '../../ui/same-file-again.ts'
import { DANGER } from '../../ui/theme.ts'
import { LANGUAGES } from '../../widgets/language-choices.ts'
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
      {sale.missing_xml_data.length > 0 && (
        <Text size="sm" c="dimmed">
          For XML inside of its PDF the invoice lacks: {sale.missing_xml_data.join(', ')}.
        </Text>
      )}
      <Invoice sale={sale} />
      <Sheet sale={sale} />
      <Email sale={sale} />
    </div>
  )
}

type PartProps = { title: string; state: ReactNode; note?: ReactNode; children: ReactNode }

function Part({ title, state, note, children }: PartProps) {
  return (
    <section className={classes['document']}>
      <div className={classes['about']}>
        <h3>{title}</h3>
        <div className={classes['state']} aria-live="polite">
          {state}
        </div>
      </div>
      <div className={classes['actions']}>{children}</div>
      {note}
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

/** Actions that are rarely needed. */
function More({ label, loading, children }: { label: string; loading: boolean; children: ReactNode }) {
  const target = useRef<HTMLButtonElement>(null)
  const wasLoading = useRef(false)
  useEffect(() => {
    // While it loads, it cannot have the focus.
    if (wasLoading.current && !loading && document.activeElement === document.body) target.current?.focus()
    wasLoading.current = loading
  }, [loading])
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon ref={target} variant="default" size={36} loading={loading} aria-label={label}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      {/* A dialog gives the focus back to what had it before, and the menu will be gone by then. */}
      <Menu.Dropdown onClickCapture={() => target.current?.focus()}>{children}</Menu.Dropdown>
    </Menu>
  )
}

function Invoice({ sale }: { sale: Sale }) {
  const { id, invoice_status, invoice_number } = sale
  const [lang, setLang] = useState<InvoiceLanguage>(sale.usual_lang)
  /** Another one is wanted; in which language is still to be chosen. */
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
  // The books need every numbered invoice, that of a voided sale too.
  const mayGenerate = isMissing ? !isVoided || invoice_number !== null : again && !isVoided
  return (
    <Part
      title={invoice_number ? `Invoice ${invoice_number}` : 'Invoice'}
      state={<DocumentState status={invoice_status} note={sale.invoice_uploaded ? 'Uploaded' : undefined} />}
    >
      {invoice_status === 'ready' && !mayGenerate && <Download path={`sale/${id}/invoice`}>Download invoice</Download>}
      {mayGenerate && (
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
  const maySend = sale.status !== 'Voided'
  const isOutdated = maySend && sale.resend_needed
  return (
    <Part
      title="Email"
      state={<MailState mail={mail} />}
      note={
        isOutdated && (
          <Alert color="orange" w="100%">
            {sale.email_sent
              ? 'The invoice has been made again since the email went out. Resend it.'
              : 'The invoice has been made again. Send it to the customer.'}
          </Alert>
        )
      }
    >
      {maySend && (
        <Button
          variant="default"
          disabled={nothingToSend || mail?.state === 'sending'}
          loading={running !== null}
          onClick={() => void resend()}
        >
          Resend email
        </Button>
      )}
    </Part>
  )
}
