import type { WriteAnswer } from '@backstock/contract/answer.ts'
import type { BulkDone, BulkPreview } from '@backstock/contract/bulk-change.ts'
import { Alert, Button, Kbd, Modal, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type KeyboardEvent, useMemo, useState } from 'react'
import { api } from '../../api/client.ts'
import { ApiError, errorMessage } from '../../api/error.ts'
import { sameKey } from '../../api/same-key.ts'
import { showToast } from '../../api/toast.ts'
import { useKeptAtEnd } from '../../ui/feedback/kept-at-end.ts'
import { useFoundDraft } from '../../ui/feedback/kept-draft.ts'
import { KeptNote } from '../../ui/feedback/kept-note.tsx'
import { askToLeave, useLeaveGuard } from '../../ui/feedback/leave-guard.ts'
import { PHONE } from '../../ui/layout/phone.ts'
import { readAgain, undoBulk } from './bulk.ts'
import { ChangeFields } from './change-fields.tsx'
import { changesOf, type Field, noValues, type Values } from './changes.ts'
import classes from './edit.module.css'
import { EditPreview } from './edit-preview.tsx'
import { type EditBody, useEditPreview, type Which } from './use-edit-preview.ts'

const items = (n: number) => `${n.toLocaleString('en')} ${n === 1 ? 'item' : 'items'}`

export type EditProps = {
  which: Which
  /** The number of items, as far as the caller knows. */
  count: number
  /** Values that are chosen when the dialog opens. */
  preset?: Partial<Values>
  onClose: () => void
}

const DRAFT = 'bulk-edit'
/** The parts of a bulk edit that the browser keeps if the session ends. `begun` says with what the dialog opened. */
type KeptEdit = { begun: string; fields: Field[]; values: Partial<Values> }

/** The dialog of a bulk edit: the changes, their preview, and one button that applies them. */
export default function EditDialog(props: EditProps) {
  const [begins, setBegins] = useState(0)
  return <BulkEdit key={begins} {...props} onDiscard={() => setBegins((count) => count + 1)} />
}

function BulkEdit({ which, count, preset = {}, onClose, onDiscard }: EditProps & { onDiscard: () => void }) {
  const left = useFoundDraft<KeptEdit>(DRAFT)
  const [begun] = useState(() => JSON.stringify({ which, preset }))
  const [found] = useState(() => (left?.begun === begun ? left : null))
  const phone = useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false }) ?? false
  const [fields, setFields] = useState(() => found?.fields ?? (Object.keys(preset) as Field[]))
  const [values, setValues] = useState<Values>(() => ({ ...noValues(), ...preset, ...found?.values }))
  const [touched, setTouched] = useState(found !== null)
  const [asking, setAsking] = useState(false)
  const draft = useMemo<KeptEdit | null>(
    () => (touched ? { begun, fields, values } : null),
    [touched, begun, fields, values],
  )
  const kept = useKeptAtEnd(DRAFT, draft, found !== null)
  const endGuard = useLeaveGuard(touched && !kept.isKept)

  const { changes, problems } = changesOf(fields, values)
  const { preview, error, isReady, takeOver } = useEditPreview(
    changes && fields.length > 0 ? { ...which, changes } : null,
  )
  const ofFields = error instanceof ApiError ? fieldErrors(error) : {}
  const mayApply = isReady && preview !== undefined && preview.will_change > 0
  const { sending, trouble, refusals, send, forget } = useSending({
    onOtherPreview: takeOver,
    async onDone() {
      kept.drop()
      endGuard()
      onClose()
      await readAgain()
    },
  })
  const change = () => {
    setTouched(true)
    forget()
  }
  const apply = async () => {
    if (!sending && mayApply && changes) await send({ ...which, changes, token: preview.token })
  }
  const close = async () => {
    if (sending) return
    setAsking(true)
    if (!touched || kept.isKept || (await askToLeave())) onClose()
    setAsking(false)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    void apply()
  }
  const will = preview?.will_change ?? count
  return (
    <Modal
      opened
      onClose={() => void close()}
      // While the question about unsaved changes is open, Escape closes the question and not this dialog.
      closeOnEscape={!asking}
      trapFocus={!asking}
      closeOnClickOutside={!asking && !touched}
      fullScreen={phone}
      size={680}
      title={'filter' in which ? `Edit all ${count.toLocaleString('en')} that match` : `Edit ${items(count)}`}
      classNames={{ title: classes['title'] ?? '', body: classes['body'] ?? '' }}
    >
      <form noValidate onKeyDown={onKeyDown} onSubmit={(event) => event.preventDefault()}>
        {kept.isKept && (
          <Text size="sm" c="dimmed" mb="sm">
            <KeptNote isFound onDiscard={() => kept.discard(onDiscard)} />
          </Text>
        )}
        {(trouble ?? (error && Object.keys(ofFields).length === 0)) && (
          <Alert color={isReady && trouble ? 'orange' : 'red'} role="alert" mb="sm">
            {trouble ?? errorMessage(error)}
          </Alert>
        )}
        <ChangeFields
          fields={fields}
          values={values}
          isOrdered={'items' in which}
          readOnly={sending}
          problems={{ ...problems, ...ofFields, ...refusals }}
          onFields={(next) => {
            change()
            setFields(next)
          }}
          onChange={(next) => {
            change()
            setValues((now) => ({ ...now, ...next }))
          }}
        />
        {changes && fields.length > 0 && !error && <EditPreview preview={preview} dimmed={!isReady} />}
        <div className={classes['bar']}>
          <Button loading={sending} disabled={!mayApply} onClick={() => void apply()}>
            Change {items(will)}
          </Button>
          <Button variant="default" disabled={sending} onClick={() => void close()}>
            Cancel
          </Button>
          <Text size="xs" c="dimmed" visibleFrom="sm">
            <Kbd size="xs">Ctrl</Kbd> <Kbd size="xs">Enter</Kbd>
          </Text>
          <Text size="sm" c="dimmed" className={classes['hint'] ?? ''}>
            It can be undone for 30 days.
          </Text>
        </div>
      </form>
    </Modal>
  )
}

type SendingOptions = { onOtherPreview: (preview: BulkPreview) => void; onDone: () => Promise<void> }

/** Sends a bulk edit. `trouble` and `refusals` are the server's messages about the last attempt, until `forget`. */
function useSending({ onOtherPreview, onDone }: SendingOptions) {
  const [sending, setSending] = useState(false)
  const [trouble, setTrouble] = useState<string | null>(null)
  const [refusals, setRefusals] = useState<Partial<Record<Field, string>>>({})
  const [keyOf] = useState(sameKey)
  const send = async (body: EditBody & { token: string }) => {
    setSending(true)
    setTrouble(null)
    try {
      const call = { body, silent: true, tellsTrouble: true, idempotent: keyOf(JSON.stringify(body)) }
      const answer = await api.post<WriteAnswer<BulkDone>>('stock/bulk', call)
      const { bulk_id } = answer.data
      showToast({
        type: 'success',
        title: answer.title,
        message: answer.message,
        action: { text: 'Undo', run: () => void undoBulk(bulk_id) },
        about: 'stock/bulk',
      })
      await onDone()
    } catch (failed) {
      if (!(failed instanceof ApiError)) throw failed
      const now = (failed.body as { data?: { preview?: BulkPreview } } | null)?.data?.preview
      if (now) onOtherPreview(now)
      const fieldsRefused = fieldErrors(failed)
      setRefusals(fieldsRefused)
      if (Object.keys(fieldsRefused).length === 0) setTrouble(failed.message)
    } finally {
      setSending(false)
    }
  }
  const forget = () => {
    setTrouble(null)
    setRefusals({})
  }
  return { sending, trouble, refusals, send, forget }
}

/** The server's messages, by the field of the form that each is about. */
function fieldErrors({ errors }: ApiError): Partial<Record<Field, string>> {
  const found = Object.entries(errors).flatMap(([path, message]) => {
    const [, field] = /^changes\.(\w+)/.exec(path) ?? []
    return field ? [[field, message] as const] : []
  })
  return Object.fromEntries(found)
}
