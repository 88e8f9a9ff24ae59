import type { Document } from '@backstock/contract/document.ts'
import { askedFor, CREDIT_REASON_NAMES } from '@backstock/contract/document-kind.ts'
import { PROFILE_FILE_NAMES, PROFILE_FILES, PROFILE_NAMES } from '@backstock/contract/e-invoice-profile.ts'
import { LANGUAGE_NAMES } from '@backstock/contract/invoice-language.ts'
import type { Sale } from '@backstock/contract/sale.ts'
import { ActionIcon, Button, Menu, Text } from '@mantine/core'
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import { type ReactNode, Suspense, useEffect, useRef } from 'react'
import { apiUrl } from '../../../api/client.ts'
import { lazyPart } from '../../../api/lazy-part.ts'
import { formatDate } from '../../../ui/fields/date-format.ts'
import { DateTime } from '../../../ui/values/date-text.tsx'
import { Identifier } from '../../../ui/values/identifier.tsx'
import { Money } from '../../../ui/values/money.tsx'
import { handoverWords } from '../../document/handover.ts'
import { rereadSoon } from '../../document/reread-soon.ts'
import classes from '../sale.module.css'

const HandoverButton = lazyPart(() => import('./handover-button.tsx'))

type PartProps = { title: string; state: ReactNode; facts?: ReactNode; note?: ReactNode; children: ReactNode }

/** A document, sheet or mail of a sale, with its state and its actions. */
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
  /** Why there is no file yet; undefined if there is one. */
  lacks?: string | undefined
  onClick?: () => void
}

/** A link that opens a file in another tab. While there is no file, a disabled button stands in its place. */
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

/** A menu of actions that are rarely needed. */
export function More({ label, loading, children }: { label: string; loading: boolean; children: ReactNode }) {
  const target = useRef<HTMLButtonElement>(null)
  const wasLoading = useRef(false)
  useEffect(() => {
    // The button loses the focus while `loading`, and gets it back afterwards.
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
      {/* When a dialog closes, it returns the focus to the element that had it. An entry of the menu would be gone
          by then, so the menu's button gets the focus before the dialog opens. */}
      <Menu.Dropdown onClickCapture={() => target.current?.focus()}>{children}</Menu.Dropdown>
    </Menu>
  )
}

/** The facts about a document in a few words, and the checksum of its file. */
export function DocumentFacts({ document, sale }: { document: Document; sale: Sale }) {
  const { issued_on, lang, left_at, downloaded_by, reason, credits_number, replaced_by_id, sha256, profile } = document
  const handover = handoverWords(document)
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
        {profile !== null && ` · ${PROFILE_NAMES[profile]}`}
      </div>
      {relations.length > 0 && <div>{relations.join(' · ')}</div>}
      <div>
        {left_at ? (
          <>
            Final since <DateTime iso={left_at} />
            {downloaded_by && ` (downloaded by ${downloaded_by})`}
          </>
        ) : (
          <span className={classes['draft']}>Draft</span>
        )}
      </div>
      {handover && (
        <div className={classes['handover']} data-failed={document.handover?.state === 'failed' || undefined}>
          {handover}
        </div>
      )}
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
  /** The name of the document, for the labels that screen readers read. */
  name: string
  document: Document
  sale: Sale
  /** The button that downloads the document's PDF. */
  pdf: ReactNode
}

/** The buttons that show and download a document. All but the first make the document final. */
export function DocumentFiles({ name, document, sale, pdf }: FilesProps) {
  const { id, status, profile } = document
  const notMade = status === 'ready' ? undefined : NOT_MADE
  const missing = sale.missing_profile_data
  const ofProfile =
    profile !== null && missing?.profile === profile ? [...missing.seller, ...missing.buyer, ...missing.items] : []
  const lacking = [...sale.missing_xml_data, ...ofProfile]
  const lacks = lacking.length ? `Missing: ${lacking.join(', ')}.` : status === 'none' ? NOT_MADE : undefined
  const xml = (file: string, called: string) => (
    <Download
      key={file}
      path={`document/${id}/${file}`}
      label={`${called} of ${name}`}
      lacks={lacks}
      onClick={rereadSoon}
    >
      {called}
    </Download>
  )
  return (
    <>
      <Download path={`document/${id}/pdf?view`} label={`View ${name}`} lacks={notMade}>
        View
      </Download>
      {pdf}
      {profile === null
        ? [xml('ubl', 'UBL'), xml('cii', 'CII')]
        : PROFILE_FILES[profile].map((file) => xml(file, PROFILE_FILE_NAMES[file]))}
      {document.profile && (
        <Suspense>
          <HandoverButton name={name} document={document} sale={sale} lacks={lacks} />
        </Suspense>
      )}
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

/** The note that a download makes a document final. */
export function FinalNote() {
  return (
    <Text size="sm" c="dimmed">
      Downloading, emailing or dispatching makes a document final. Looking at it does not. If the sale is dispatched
      first, its invoice names that day as the date of supply.
    </Text>
  )
}
