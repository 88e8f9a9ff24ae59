import { Button, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useEffect, useRef, useState } from 'react'
import { api } from '../api/client.ts'
import type { ApiError } from '../api/error.ts'
import { queryClient } from '../api/query-client.ts'
import { invalidate, record } from '../api/reads.ts'
import { useMe } from '../api/session.ts'
import { useLeaveGuard } from '../ui/feedback/leave-guard.ts'
import { SaveBar } from '../ui/feedback/save-bar.tsx'
import { SaveTrouble } from '../ui/feedback/save-trouble.tsx'
import { useSave } from '../ui/feedback/use-save.ts'
import type { RecordArea, RecordRow } from './area.ts'
import { keepTyped, same } from './keep-typed.ts'
import classes from './record-form.module.css'

/** A write returns the whole record as it is now. */
type Saved<Row> = { data: Row }
type Trouble = { message: string; fields: [name: string, message: string][]; stale: boolean; outage: boolean }

type Props<Row extends RecordRow, Values extends object> = {
  area: RecordArea<Row, Values>
  /** Null for a new record. If the record changes, the form shows the new version, unless something was typed. */
  row: Row | null
  /** Called after saving, when the reads of the area are marked as out of date. */
  onSaved?: (id: number) => void
  /** Called with true if something is unsaved, and with false when it is not any more. */
  onUnsaved?: (unsaved: boolean) => void
  saveLabel?: string
  draft?: FormDraft<Values>
}

/** The draft of a new record. The form starts with `begun`. While `isKept`, leaving the screen asks no question. */
export type FormDraft<Values> = {
  begun: Values | null
  isKept: boolean
  /** Called with the typed values, or with null if nothing was typed. */
  onTyped: (values: Values | null) => void
}

/** The form of a record, on a page or in a dialog. Typed text survives a failed request. */
export function RecordForm<Row extends RecordRow, Values extends object>({
  area,
  row,
  onSaved,
  onUnsaved,
  saveLabel = row ? 'Save' : 'Create',
  draft,
}: Props<Row, Values>) {
  const me = useMe()
  const form = useForm<Values>({ initialValues: area.values(row, me) })
  const [loadedAt, setLoadedAt] = useState(row?.updated_at)
  const [trouble, setTrouble] = useState<Trouble | null>(null)
  const element = useRef<HTMLFormElement>(null)
  const editable = row === null || (area.mayEdit?.(row, me) ?? true)
  // Text that is no valid price or date is not among the form's values, but it is unsaved, too.
  const [unreadable, setUnreadable] = useState(false)
  const dirty = form.isDirty() || unreadable
  useEffect(() => {
    const fields = [...(element.current?.elements ?? [])] as HTMLInputElement[]
    setUnreadable(fields.some((field) => field.validity.customError))
  })

  // The form starts with empty values and gets the draft afterwards, so that the draft counts as unsaved.
  const [begun, setBegun] = useState(draft?.begun)
  useEffect(() => {
    if (!begun) return
    form.setValues(begun)
    setBegun(undefined)
  }, [begun, form.setValues])
  const onTyped = draft?.onTyped
  const typed = form.isDirty() ? form.values : null
  useEffect(() => {
    if (!begun) onTyped?.(typed)
  }, [begun, typed, onTyped])

  const allowLeave = useLeaveGuard(dirty && !draft?.isKept)
  useEffect(() => onUnsaved?.(dirty), [dirty, onUnsaved])

  // If the alert disappears while a button in it has the focus, the form gets the focus.
  const hadTrouble = useRef(false)
  useEffect(() => {
    if (hadTrouble.current && !trouble && document.activeElement === document.body) {
      const find = (selector: string) => element.current?.querySelector<HTMLElement>(selector)
      const next = find('[type="submit"]:enabled') ?? find('fieldset :is(input, textarea):enabled')
      next?.focus()
    }
    hadTrouble.current = trouble !== null
  }, [trouble])

  // The first field of a new record gets the focus. A dialog around the form focuses the element with this attribute.
  useEffect(() => {
    const first = row ? null : element.current?.querySelector<HTMLElement>('fieldset input:not([readonly])')
    first?.setAttribute('data-autofocus', '')
    first?.focus()
  }, [row])

  const takeOver = (fresh: Row, values: Values) => {
    form.setInitialValues(area.values(fresh, me))
    form.setValues(values)
    setLoadedAt(fresh.updated_at)
  }

  useEffect(() => {
    if (!row || !loadedAt || row.updated_at <= loadedAt) return
    const now = area.values(row, me)
    // A new version of the record is no conflict if it differs in nothing that the form shows, for example because an
    // invoice was made.
    if (same(now, form.getInitialValues())) setLoadedAt(row.updated_at)
    else if (!form.isDirty()) takeOver(row, now)
  })

  const onRefused = (error: ApiError) => {
    const hasField = (name: string) => element.current?.querySelector(`[data-path="${CSS.escape(name)}"]`) != null
    const fields = Object.entries(error.errors)
    form.setErrors(Object.fromEntries(fields.filter(([name]) => hasField(name))))
    // The record has changed on the server. It is read again, so that Discard shows it as it is now.
    if (error.status === 409) void invalidate(area.area, ...(area.alsoChanges ?? []))
    const others = fields.filter(([name]) => !hasField(name))
    const stale = error.status === 409 && error.message.startsWith('Changed by')
    setTrouble(
      fields.length > 0 && others.length === 0
        ? null
        : { message: error.message, fields: others, stale, outage: error.isOutage },
    )
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
      const body = { ...(area.input ? area.input(values, row) : values), updated_at: loadedAt }
      const to = area.save ?? (row ? `${area.area}/${row.id}/edit` : `${area.area}/create`)
      const { data: fresh } = await api.post<Saved<Row>>(to, { body, tellsTrouble: true })
      if (row) {
        queryClient.setQueryData(record<Row>(area.area, row.id).queryKey, fresh)
        takeOver(fresh, keepTyped(values, form.getValues(), area.values(fresh, me)))
      }
      if (row === null) allowLeave()
      void invalidate(area.area, ...(area.alsoChanges ?? []))
      onSaved?.(fresh.id)
    })
  }

  const reload = async () => {
    if (!row) return
    try {
      const fresh = await queryClient.fetchQuery({
        ...record<Row>(area.area, row.id),
        ...(area.read && { queryFn: area.read }),
        staleTime: 0,
      })
      const before = form.getInitialValues()
      takeOver(fresh, keepTyped(before, form.getValues(), area.values(fresh, me)))
      setTrouble(null)
    } catch (error) {
      await fail(error)
    }
  }

  const [discards, setDiscards] = useState(0)
  const discard = () => {
    form.reset()
    setTrouble(null)
    if (unreadable) setDiscards(discards + 1)
  }

  return (
    <form
      ref={element}
      noValidate
      aria-busy={saving}
      onSubmit={(event) => {
        event.preventDefault()
        // In React's tree a form in a dialog is inside the page's form, which would be submitted too.
        event.stopPropagation()
        void store()
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
        event.preventDefault()
        event.stopPropagation()
        void store()
      }}
    >
      <Stack gap="md">
        {trouble && (
          <SaveTrouble
            title={trouble.stale ? 'This record has changed' : 'Not saved'}
            message={trouble.message}
            fields={trouble.fields}
          >
            {trouble.stale && (
              <Button mt="xs" size="xs" variant="default" onClick={() => void reload()}>
                Reload and keep what I typed
              </Button>
            )}
            {trouble.outage && (
              <Button mt="xs" size="xs" variant="default" onClick={() => void store()}>
                Try again
              </Button>
            )}
          </SaveTrouble>
        )}
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
