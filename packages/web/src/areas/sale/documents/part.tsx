import type { Document } from '@backstock/contract/document.ts'
import { askedFor, CREDIT_REASON_NAMES } from '@backstock/contract/document-kind.ts'
import { LANGUAGE_NAMES } from '@backstock/contract/invoice-language.ts'
import type { Sale } from '@backstock/contract/sale.ts'
import { ActionIcon, Button, Menu, Text } from '@mantine/core'
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import { type ReactNode, useEffect, useRef } from 'react'
import { apiUrl } from '../../../api/client.ts'
import { formatDate } from '../../../ui/fields/date-format.ts'
import { DateTime } from '../../../ui/values/date-text.tsx'
import { Identifier } from '../../../ui/values/identifier.tsx'
import { Money } from '../../../ui/values/money.tsx'
import { rereadSoon } from '../../document/reread-soon.ts'
import classes from '../sale.module.css'

type PartProps = { title: string; state: ReactNode; facts?: ReactNode; note?: ReactNode; children: ReactNode }

/** One of the papers of a sale, with its state and its actions. */
export function Part({ title, state, facts, note, children }: PartProps) {
  return (
    <section className={classes['document']} aria-label={title}>
      <div className={classes['about']}>
        <h4>{title}</h4>
        <div className={classes['state']} aria-live="polite">
          {state}
        </div>
        {facts}
      </div>
      <div className={classes['actions']}>{children}</div>
      {note}
    </section>
  )
}

type DownloadProps = {
  path: string
  children: ReactNode
  label?: string
  /** Why there is none yet. */
  lacks?: string | undefined
  onClick?: () => void
}

/** A file that opens beside the screen. If there is none yet, its button keeps its place. */
export function Download({ path, children, label, lacks, onClick }: DownloadProps) {
  if (lacks !== undefined)
    return (
      <Button variant="default" disabled title={lacks} aria-label={label}>
        {children}
      </Button>
    )
  return (
    <Button component="a" href={apiUrl(path)} target="_blank" variant="default" aria-label={label} onClick={onClick}>
      {children}
    </Button>
  )
}

/** Actions that are rarely needed. */
export function More({ label, loading, children }: { label: string; loading: boolean; children: ReactNode }) {
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

/** A document's own facts in a few words, and the seal of its file. */
export function DocumentFacts({ document, sale }: { document: Document; sale: Sale }) {
  const { issued_on, lang, left_at, reason, credits_number, replaced_by_id, sha256 } = document
  const newer = sale.documents.find(({ id }) => id === replaced_by_id)
  const relations = [
    credits_number && `Credits ${credits_number}`,
    reason && CREDIT_REASON_NAMES[reason],
    newer && `Replaced by ${newer.number}`,
  ].filter(Boolean)
  return (
    <div className={classes['documentFacts']}>
      <div>
        {formatDate(issued_on, 'dd/MM/yyyy')} · <Money amount={askedFor(document)} /> · {LANGUAGE_NAMES[lang]}
      </div>
      {relations.length > 0 && <div>{relations.join(' · ')}</div>}
      <div>
        {left_at ? (
          <>
            Final since <DateTime iso={left_at} />
          </>
        ) : (
          <span className={classes['draft']}>Draft</span>
        )}
      </div>
      {sha256 && (
        <div>
          SHA-256 <Identifier value={sha256} short />
        </div>
      )}
    </div>
  )
}

const NOT_MADE = 'Its file is not there yet.'

type FilesProps = {
  /** Its name for people who only hear its buttons. */
  name: string
  document: Document
  sale: Sale
  /** The button that downloads its PDF. */
  pdf: ReactNode
}

/** The buttons that show a document and download it; all but the first make it final. */
export function DocumentFiles({ name, document, sale, pdf }: FilesProps) {
  const { id, status } = document
  const notMade = status === 'ready' ? undefined : NOT_MADE
  const lacking = sale.missing_xml_data.length ? `It lacks: ${sale.missing_xml_data.join(', ')}.` : undefined
  const xml = (syntax: string, path: string) => (
    <Download
      path={`document/${id}/${path}`}
      label={`${syntax} of ${name}`}
      lacks={lacking ?? (status === 'none' ? NOT_MADE : undefined)}
      onClick={rereadSoon}
    >
      {syntax}
    </Download>
  )
  return (
    <>
      <Download path={`document/${id}/pdf?view`} label={`View ${name}`} lacks={notMade}>
        View
      </Download>
      {pdf}
      {xml('UBL', 'ubl')}
      {xml('CII', 'cii')}
    </>
  )
}

/** The PDF of a document other than the standing invoice. */
export function DocumentPdf({ name, document }: Pick<FilesProps, 'name' | 'document'>) {
  return (
    <Download
      path={`document/${document.id}/pdf`}
      label={`PDF of ${name}`}
      lacks={document.status === 'ready' ? undefined : NOT_MADE}
      onClick={rereadSoon}
    >
      PDF
    </Download>
  )
}

/** That a document becomes final by itself. */
export function FinalNote() {
  return (
    <Text size="sm" c="dimmed">
      Downloading, mailing or dispatching makes a document final. To look at it does not. If the sale is dispatched
      first, its invoice names that day as the date of supply.
    </Text>
  )
}
