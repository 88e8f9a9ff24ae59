import { columnLabel } from '@backstock/contract/column-label.ts'
import type { ImportPreview, NamedField, PreviewChanges, UnknownName } from '@backstock/contract/import-preview.ts'
import type { Product } from '@backstock/contract/product.ts'
import { Button, CloseButton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FocusEvent, memo, useLayoutEffect, useRef, useState } from 'react'
import { api } from '../../../api/client.ts'
import { ApiError } from '../../../api/error.ts'
import { find, invalidate } from '../../../api/reads.ts'
import { isAdmin, useMe } from '../../../api/session.ts'
import { type Choice, choiceLabel } from '../../../ui/fields/choice.ts'
import { RemoteSelect } from '../../../ui/fields/remote-select.tsx'
import { RowPages, rowsOf } from '../../../ui/table/paged-rows.tsx'
import classes from './preview.module.css'
import { count, lastSaid, NAMES } from './words.ts'

type Props = { plan: ImportPreview; onChange: (changes: PreviewChanges) => void }

/** For example `Names: 2 not known`. */
export function namesTitle({ unknown }: Pick<ImportPreview, 'unknown'>): string {
  return unknown.length > 0 ? `Names: ${unknown.length.toLocaleString('en')} not known` : 'Names: all are known'
}

/**
 * The names in the file that the shop does not know. A person says for each, in all rows at once, whether it is new or
 * means an existing record.
 */
export const PreviewNames = memo(function PreviewNames({ plan, onChange }: Props) {
  const [page, setPage] = useState(1)
  const needed = plan.unknown.filter(isNeeded)
  const here = rowsOf([...needed, ...plan.unknown.filter((name) => !isNeeded(name))], page)
  const decide = (field: NamedField, seen: string, means: string | null) =>
    onChange({ values: [{ field, seen, means }] })
  const passFocusOn = usePassFocusOn()
  return (
    <div {...passFocusOn}>
      <ul id={NAMES} className={classes['names']} aria-label="Names that are not known">
        {here.rows.map((name) => (
          <Name
            key={`${name.field} ${name.seen}`}
            name={name}
            onDecide={(means) => decide(name.field, name.seen, means)}
          />
        ))}
      </ul>
      <RowPages {...here} total={plan.unknown.length} onPage={setPage} noun="names" />
      {plan.meanings.length > 0 && (
        <ul className={classes['meanings']} aria-label="What names mean">
          {plan.meanings.map(({ field, seen, means, remembered }) => (
            <li key={`${field} ${seen}`}>
              <Text span size="sm">
                {field === 'make_of_model' ? 'The make of' : columnLabel(field)} <b>{seen}</b>{' '}
                {field === 'make_of_model' ? 'is' : 'means'}{' '}
                <b>{field === 'product' ? <MeantProduct id={means} /> : means}</b>
                {remembered && <Text span c="dimmed" inherit>{` (remembered from ${lastSaid(remembered)})`}</Text>}
              </Text>
              <CloseButton
                size="sm"
                aria-label={`${seen} stands for itself again`}
                onClick={() => decide(field, seen, null)}
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
})

function MeantProduct({ id }: { id: string }) {
  const { data } = useQuery(find<Product>('product', { id: Number(id) }))
  return data?.data[0]?.display_name ?? `product #${id}`
}

/**
 * A name disappears from the list once it is decided. The focus then moves to the name that takes its place, or else to
 * the last one.
 */
function usePassFocusOn() {
  const ref = useRef<HTMLDivElement>(null)
  const focused = useRef<{ control: Element; at: number } | null>(null)
  const lines = () => [...(ref.current?.querySelectorAll('li') ?? [])]
  useLayoutEffect(() => {
    const last = focused.current
    if (!last || last.control.isConnected || document.activeElement !== document.body) return
    focused.current = null
    const now = lines()
    const line = now[last.at] ?? now.at(-1)
    line?.querySelector<HTMLElement>('button:enabled, input:enabled')?.focus({ preventScroll: true })
  })
  const onFocus = ({ target }: FocusEvent) => {
    const at = lines().findIndex((line) => line.contains(target))
    focused.current = at < 0 ? null : { control: target, at }
  }
  return { ref, onFocus }
}

/** This many similar names have a button each; all others are found by a search. */
const AT_HAND = 3

/** The areas whose records can be created here, and the fields of a new record. */
const MADE_BY: Partial<Record<NamedField, (name: string) => object>> = {
  supplier: (company_name) => ({ company_name }),
  grade: (name) => ({ name }),
}

/**
 * For rows without a model, the unknown name is the first 8 digits of their IMEIs (the TAC), which all devices of a
 * model share.
 */
const isTac = ({ field, seen }: Pick<UnknownName, 'field' | 'seen'>) => field === 'product' && /^\d{8}$/.test(seen)

/**
 * Whether a person must decide about the name before the import. The import creates products, makes and the like by
 * itself; the kinds in NEEDED must exist.
 */
const isNeeded = (name: UnknownName) => isTac(name) || NEEDED.has(name.field)
const NEEDED: ReadonlySet<NamedField> = new Set(['supplier', 'vat', 'grade', 'make_of_model'])

/** Suppliers are shown with their number, because several may have the same name. */
const nameOf = (row: Choice) =>
  row.company_name ? `${row.company_name} #${row.id}` : (row.name ?? row.display_name ?? '')

function Name({ name, onDecide }: { name: UnknownName; onDecide: (means: string | null) => void }) {
  const { field, seen, rows, is_made, nearest, is_ambiguous } = name
  const me = useMe()
  const [creating, setCreating] = useState(false)
  const mayMake = !is_ambiguous && (field !== 'grade' || isAdmin(me))
  const input = mayMake ? MADE_BY[field] : undefined
  const isMake = field === 'make_of_model'
  const asked = isMake ? `Which make is "${seen}"?` : `What ${seen} means`
  const create = async (body: object) => {
    setCreating(true)
    try {
      await api.post(`${field}/create`, { body, toldAs: 'stock/import/preview' })
      await invalidate(field)
      onDecide(null)
    } catch (error) {
      // The call has shown a toast with the reason.
      if (!(error instanceof ApiError)) throw error
    } finally {
      setCreating(false)
    }
  }
  /** Only notes the name: the import creates the make with its first product. */
  const makeIt = async (typed: string) => {
    onDecide(typed)
    return null
  }
  return (
    <li data-field={field}>
      <div className={classes['seen']}>
        <b>{isMake ? asked : isTac(name) ? `IMEIs that begin with ${seen}` : seen}</b>
        <Text size="xs" c="dimmed">
          {isMake ? 'No make' : columnLabel(field)} in {count(rows, 'row')}:{' '}
          {is_ambiguous && 'several have this name, '}
          {isNeeded(name) ? 'its rows fail' : is_made ? 'will be made' : 'would be made'}
        </Text>
      </div>
      <div className={classes['choices']}>
        {input && (
          <Button loading={creating} onClick={() => void create(input(seen))}>
            Create {seen}
          </Button>
        )}
        {nearest.slice(0, AT_HAND).map(({ id, name }) => (
          <Button
            key={id}
            variant="default"
            title={isMake ? `${name} is the make of ${seen} in all rows` : `${seen} means ${name} in all rows`}
            onClick={() => onDecide(field === 'product' ? String(id) : name)}
          >
            {isMake ? name : `means ${name}`}
          </Button>
        ))}
        <div className={classes['another']}>
          <RemoteSelect
            area={isMake ? 'make' : field}
            label={asked}
            placeholder={nearest.length > 0 ? 'Another…' : isMake ? 'Make…' : 'means…'}
            create={isMake && makeIt}
            labelOf={field === 'product' ? choiceLabel : nameOf}
            onChange={(id, row) => row && onDecide(field === 'product' ? String(id) : nameOf(row))}
          />
        </div>
      </div>
    </li>
  )
}
