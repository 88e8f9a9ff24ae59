import { Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { type KeyboardEvent, type SyntheticEvent, useEffect, useRef, useState } from 'react'
import { api } from '../api/client.ts'
import type { ApiError } from '../api/error.ts'
import { invalidate } from '../api/reads.ts'
import { sameKey } from '../api/same-key.ts'
import { useMe } from '../api/session.ts'
import { removeToastsAbout, showToast } from '../api/toast.ts'
import { KeptNote } from '../ui/feedback/kept-note.tsx'
import { useLeaveGuard } from '../ui/feedback/leave-guard.ts'
import { SaveBar } from '../ui/feedback/save-bar.tsx'
import { useSave } from '../ui/feedback/use-save.ts'
import type { RecordArea, RecordRow } from './area.ts'
import { type FormDraft, useFormDraft } from './form/draft.ts'
import { useFirstFieldFocus, useFocusAfterTrouble } from './form/focus.ts'
import { keepTyped } from './form/keep-typed.ts'
import { useKeptValues, useLeftValues } from './form/kept-values.ts'
import { RecordTrouble, type Trouble, troubleOf } from './form/trouble.tsx'
import { useUnreadable } from './form/unreadable.ts'
import { savePath } from './form/values-to-keep.ts'
import { useVersion } from './form/version.ts'
import classes from './record-form.module.css'

/** A write returns the whole record as it is now. */
type Saved<Row> = { data: Row }

type Props<Row extends RecordRow, Values extends object> = {
  area: RecordArea<Row, Values>
  /** Null for a new record. If the record changes, the form shows the new version, unless something was typed. */
  row: Row | null
  /** Called after saving with the record as it is now, when the reads of the area are marked as out of date. */
  onSaved?: (id: number, fresh: Row) => void
  /** Called with true if leaving would lose something unsaved, and with false when it would not any more. */
  onUnsaved?: (unsaved: boolean) => void
  saveLabel?: string
  draft?: FormDraft<Values>
}

/**
 * The form of a record, on a page or in a dialog. Typed text survives a failed request, and the end of the session: then
 * the browser keeps it as a draft.
 */
export function RecordForm<Row extends RecordRow, Values extends object>({
  area,
  row,
  onSaved,
  onUnsaved,
  saveLabel = row ? 'Save' : 'Create',
  draft,
}: Props<Row, Values>) {
  const me = useMe()
  const { name, left } = useLeftValues(area, row)
  const form = useForm<Values>({ initialValues: left?.before ?? area.values(row, me) })
  const [trouble, setTrouble] = useState<Trouble | null>(null)
  const element = useRef<HTMLFormElement>(null)
  /** A new record whose answer was lost is not made twice by another try. */
  const keyOf = useRef(sameKey())
  const editable = row === null || (area.mayEdit?.(row, me) ?? true)
  const unreadable = useUnreadable(element)
  const dirty = form.isDirty() || unreadable
  useFormDraft(form, draft ? draft.begun : (left?.values ?? null), draft?.onTyped)
  const version = useVersion(area, row, form, left?.updated_at)
  const kept = useKeptValues(form, {
    name,
    left,
    updated_at: version.loadedAt,
    secrets: area.secrets,
    isElsewhere: draft !== undefined,
  })
  const isKept = draft ? draft.isKept : kept.isKept
  // No draft has text that is no valid price or date.
  const unsaved = unreadable || (form.isDirty() && !isKept)
  const allowLeave = useLeaveGuard(unsaved)
  useEffect(() => onUnsaved?.(unsaved), [unsaved, onUnsaved])
  useFocusAfterTrouble(element, trouble !== null)
  useFirstFieldFocus(element, row === null)
  const areas = [area.area, ...(area.alsoChanges ?? [])]

  const onRefused = (error: ApiError) => {
    const hasField = (name: string) => element.current?.querySelector(`[data-path="${CSS.escape(name)}"]`) != null
    const found = troubleOf(error, hasField)
    form.setErrors(found.atFields)
    // The record has changed on the server. It is read again, so that Discard shows it as it is now.
    if (error.status === 409) void invalidate(...areas)
    setTrouble(found.trouble)
  }
  const { saving, save, fail, focusTrouble } = useSave({ form: element, title: 'Not saved', onRefused })

  const store = async () => {
    if (saving || !editable) return
    if (!element.current?.checkValidity()) {
      for (const field of element.current?.querySelectorAll<HTMLInputElement>(':invalid[data-path]') ?? [])
        form.setFieldError(field.dataset['path'] as never, field.validationMessage)
      focusTrouble()
      return
    }
    if (row && area.ask && !(await area.ask(form.getValues(), row))) return
    form.clearErrors()
    setTrouble(null)
    await save(async () => {
      const values = form.getValues()
      const body = { ...(area.input ? area.input(values, row) : values), updated_at: version.loadedAt }
      const idempotent = row === null && keyOf.current(JSON.stringify(body))
      const { data: fresh } = await api.post<Saved<Row>>(savePath(area, row), { body, idempotent, tellsTrouble: true })
      keyOf.current = sameKey()
      kept.drop()
      if (row) version.takeSaved(row.id, values, fresh)
      else allowLeave()
      void invalidate(...areas)
      onSaved?.(fresh.id, fresh)
    })
  }
  const onStore = (event: SyntheticEvent) => {
    event.preventDefault()
    // In React's tree a form in a dialog is inside the page's form, which would be submitted too.
    event.stopPropagation()
    void store()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onStore(event)
  }

  const reload = async () => {
    if (!row) return
    try {
      await version.reload(row.id)
      setTrouble(null)
    } catch (error) {
      await fail(error)
    }
  }

  const [discards, setDiscards] = useState(0)
  const discarded = `${name} discarded`
  // Only this form can take its text back.
  useEffect(() => () => removeToastsAbout(discarded), [discarded])
  const discard = () => {
    const [before, typed, wasKept] = [form.getInitialValues(), form.getValues(), kept.isKept]
    const isTyped = form.isDirty()
    kept.drop()
    form.reset()
    setTrouble(null)
    if (unreadable) setDiscards(discards + 1)
    // Text that is no valid price or date is in none of the values, and does not come back.
    if (!isTyped) return
    const run = () => {
      form.setValues((now) => keepTyped(before, typed, now as Values))
      if (wasKept) kept.keepAgain()
    }
    const message = wasKept ? 'Draft discarded' : 'Changes discarded'
    showToast({ type: 'success', message, about: discarded, action: { text: 'Undo', run } })
  }

  return (
    <form ref={element} noValidate aria-busy={saving} onSubmit={onStore} onKeyDown={onKeyDown}>
      <Stack gap="md">
        {kept.isKept && (
          <Text size="sm" c="dimmed">
            <KeptNote isFound onDiscard={discard} />
          </Text>
        )}
        {trouble && <RecordTrouble trouble={trouble} onReload={() => void reload()} onRetry={() => void store()} />}
        {!editable && <Text c="dimmed">You can look at this record, but not change it.</Text>}
        {/* A new `key` makes new fields, because the old ones may show text that is in none of the form's values. */}
        <fieldset key={discards} className={classes['fields']} disabled={!editable}>
          {area.fields(form, { row, me })}
        </fieldset>
      </Stack>
      {editable && <SaveBar isNew={row === null} dirty={dirty} saving={saving} label={saveLabel} onDiscard={discard} />}
    </form>
  )
}
