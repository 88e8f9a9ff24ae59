import { columnLabel } from '@backstock/contract/column-label.ts'
import type { ImportPreview, NamedField, PreviewChanges, UnknownName } from '@backstock/contract/import-preview.ts'
import type { Product } from '@backstock/contract/product.ts'
import { Button, CloseButton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FocusEvent, Fragment, memo, useLayoutEffect, useRef, useState } from 'react'
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

/** For example `Names: 2 not known`. Products that wait for the answer about another name do not count. */
export function namesTitle({ unknown }: Pick<ImportPreview, 'unknown'>): string {
  const open = unknown.filter(({ waits }) => !waits).length
  return open > 0 ? `Names: ${open.toLocaleString('en')} not known` : 'Names: all are known'
}

const keyOf = ({ field, seen }: Pick<UnknownName, 'field' | 'seen'>) => `${field} ${seen}`

/** The lines of names in the order in which they came. A name keeps its line after it is decided. */
function useLines(unknown: readonly UnknownName[], withWaiting: boolean): readonly UnknownName[] {
  const [lines, setLines] = useState<readonly UnknownName[]>([])
  const there = new Set(lines.map(keyOf))
  const sorted = [...unknown.filter(isNeeded), ...unknown.filter((name) => !isNeeded(name))]
  const come = sorted.filter((name) => (withWaiting || !name.waits) && !there.has(keyOf(name)))
  if (come.length > 0) setLines([...lines, ...come])
  return lines
}

/**
 * The names in the file that the shop does not know. A person says for each, in all rows at once, whether it is new or
 * means an existing record. A decided name keeps its line, so that nothing moves below the pointer.
 */
export const PreviewNames = memo(function PreviewNames({ plan, onChange }: Props) {
  const [page, setPage] = useState(1)
  const [withWaiting, setWithWaiting] = useState(false)
  /** The names for which a record was created here. */
  const [created, setCreated] = useState<ReadonlySet<string>>(new Set())
  const lines = useLines(plan.unknown, withWaiting)
  const here = rowsOf(lines, page)
  const open = new Map(plan.unknown.map((name) => [keyOf(name), name]))
  const meant = new Map(plan.meanings.map((one) => [keyOf(one), one.means]))
  const decide = (field: NamedField, seen: string, means: string | null) =>
    onChange({ values: [{ field, seen, means }] })
  const passFocusOn = usePassFocusOn()
  const waiting = withWaiting ? 0 : plan.unknown.filter(({ waits }) => waits).length
  const inLines = new Set(lines.map(keyOf))
  const others = plan.meanings.filter((one) => !inLines.has(keyOf(one)))
  const words = lines.filter(({ word }) => word)
  return (
    <div {...passFocusOn}>
      <ul id={NAMES} className={classes['names']} aria-label="Names that are not known" tabIndex={-1}>
        {here.rows.map((line) => {
          const key = keyOf(line)
          const name = open.get(key)
          const own = name ? (
            <Name
              key={key}
              name={name}
              onCreated={() => setCreated(new Set([...created, key]))}
              onDecide={(means) => decide(line.field, line.seen, means)}
            />
          ) : (
            <Decided
              key={key}
              name={line}
              means={meant.get(key) ?? null}
              isCreated={created.has(key)}
              onUndo={() => decide(line.field, line.seen, null)}
            />
          )
          return line === words[0] && words.length > 1 ? (
            <Fragment key={key}>
              <Words words={words.filter((one) => open.has(keyOf(one)))} all={words.length} onChange={onChange} />
              {own}
            </Fragment>
          ) : (
            own
          )
        })}
      </ul>
      <RowPages {...here} total={lines.length} onPage={setPage} noun="names" />
      {waiting > 0 && (
        <div className={classes['waiting']}>
          <Text span size="sm" c="dimmed">
            {count(waiting, 'product waits', 'products wait')} until the names above are decided.
          </Text>
          <Button variant="subtle" size="xs" onClick={() => setWithWaiting(true)}>
            Show {waiting === 1 ? 'it' : 'them'}
          </Button>
        </div>
      )}
      {others.length > 0 && (
        <ul className={classes['meanings']} aria-label="What names mean">
          {others.map(({ field, seen, means, remembered }) => (
            <li key={`${field} ${seen}`}>
              <Text span size="sm">
                {field === 'make_of_model' ? 'The make of' : columnLabel(field)} <b>{seen}</b>{' '}
                {field === 'make_of_model' ? 'is' : 'means'} <Meant field={field} means={means} />
                {remembered && <Text span c="dimmed" inherit>{` (remembered from ${lastSaid(remembered)})`}</Text>}
              </Text>
              <CloseButton
                size="sm"
                aria-label={`Forget what ${seen} means`}
                onClick={() => decide(field, seen, null)}
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
})

const Meant = ({ field, means }: { field: NamedField; means: string }) => (
  <b>{field === 'product' ? <MeantProduct id={means} /> : means}</b>
)

type WordsProps = { words: readonly UnknownName[]; all: number; onChange: Props['onChange'] }

/** One answer for all colours and categories that are in another language. */
function Words({ words, all, onChange }: WordsProps) {
  const take = () =>
    onChange({ values: words.flatMap(({ field, seen, word }) => (word ? [{ field, seen, means: word.name }] : [])) })
  const english = [...new Set(words.flatMap(({ word }) => word?.name ?? []))]
  return (
    <li data-decided={words.length === 0 || undefined}>
      <div className={classes['seen']}>
        <b>{count(all, 'name')} in another language</b>
        <Text size="xs" c="dimmed">
          {words.length > 0 ? words.map(({ seen, word }) => `${seen} is ${word?.name}`).join(', ') : 'All are decided.'}
        </Text>
      </div>
      <div className={classes['choices']}>
        {words.length > 0 && <Button onClick={take}>Take {english.join(', ')}</Button>}
      </div>
    </li>
  )
}

type DecidedProps = { name: UnknownName; means: string | null; isCreated: boolean; onUndo: () => void }

/** A name that has been decided here, or that another answer has settled. */
function Decided({ name: { field, seen }, means, isCreated, onUndo }: DecidedProps) {
  return (
    <li data-decided>
      <div className={classes['seen']}>
        <b>{seen}</b>
        <Text size="xs" c="dimmed">
          {field === 'make_of_model' ? 'No make' : columnLabel(field)}
        </Text>
      </div>
      <div className={`${classes['choices']} ${classes['told']}`}>
        {means === null ? (
          <Text span size="sm" c="dimmed">
            {isCreated ? 'Created' : 'Nothing to decide'}
          </Text>
        ) : (
          <>
            <Text span size="sm">
              {field === 'make_of_model' ? 'is by' : 'means'} <Meant field={field} means={means} />
            </Text>
            <Button variant="subtle" size="compact-sm" aria-label={`Decide about ${seen} again`} onClick={onUndo}>
              Change
            </Button>
          </>
        )}
      </div>
    </li>
  )
}

function MeantProduct({ id }: { id: string }) {
  const { data } = useQuery(find<Product>('product', { id: Number(id) }))
  return data?.data[0]?.display_name ?? `product #${id}`
}

/**
 * The controls of a name disappear once it is decided. The focus then moves to the next name that is open, or else to
 * the list, and never to a control that takes a decision back.
 */
function usePassFocusOn() {
  const ref = useRef<HTMLDivElement>(null)
  const focused = useRef<{ control: Element; at: number } | null>(null)
  const lines = () => [...(ref.current?.querySelectorAll(`#${NAMES} > li`) ?? [])]
  useLayoutEffect(() => {
    const last = focused.current
    if (!last || last.control.isConnected || document.activeElement !== document.body) return
    focused.current = null
    const now = lines()
    const open = [...now.slice(last.at), ...now.slice(0, last.at)].find((line) => !line.matches('[data-decided]'))
    const control = open?.querySelector<HTMLElement>('button:enabled, input:enabled')
    const next = control ?? document.getElementById(NAMES)
    next?.focus({ preventScroll: true })
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

type NameProps = { name: UnknownName; onCreated: () => void; onDecide: (means: string | null) => void }

function Name({ name, onCreated, onDecide }: NameProps) {
  const { field, seen, rows, is_made, nearest, is_ambiguous, word } = name
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
      onCreated()
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
          {isNeeded(name)
            ? 'its rows fail'
            : is_made
              ? 'will be created'
              : 'will be created once its rows no longer fail'}
        </Text>
      </div>
      <div className={classes['choices']}>
        {input && (
          <Button loading={creating} onClick={() => void create(input(seen))}>
            Create {seen}
          </Button>
        )}
        {/* Only notes the word: the import creates the record with its first product. */}
        {word?.is_new && <Button onClick={() => onDecide(word.name)}>Create {word.name}</Button>}
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
