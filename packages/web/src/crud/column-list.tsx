import { MAX_COLUMNS } from '@backstock/contract/page-size.ts'
import { Button, Checkbox, Text, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ErrorState } from '../ui/feedback/error-state.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { areUsual, type ColumnChoice, movedTo, type OfferedColumn } from './column-choice.ts'
import classes from './column-list.module.css'
import { ShownColumns } from './shown-columns.tsx'
import type { ListChange } from './use-list-state.ts'

type Props = { choice: ColumnChoice<never>; columns: readonly string[]; onChange: ListChange }

const boxesIn = (list: Element | undefined) => [...(list?.querySelectorAll<HTMLInputElement>('input:enabled') ?? [])]

/** Two lists: the columns that are shown, in their order, and all others that can be chosen. */
export default function ColumnList({ choice, columns: inAddress, onChange }: Props) {
  const { data, error, isError, refetch } = useQuery({
    queryKey: ['columns', choice.usual],
    queryFn: async () => (await Promise.all([choice.offered(), choice.load()]))[0],
  })
  const [said, setSaid] = useState('')
  const [columns, setColumns] = useState(inAddress)
  const [read, setRead] = useState(inAddress)
  // The changes that the address does not have yet, oldest first.
  const [sent, setSent] = useState<readonly string[]>([])
  const [isChanged, setChanged] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  const left = useRef<{ list: number; box: number } | null>(null)
  // A ticked column moves to the other list and loses the focus. The next tick box gets it.
  useEffect(() => {
    if (!left.current || !place.current) return
    const { list, box } = left.current
    left.current = null
    const boxes = boxesIn(place.current.querySelectorAll('ul')[list])
    const next = boxes[Math.min(box, boxes.length - 1)] ?? place.current.querySelector('input')
    next?.focus()
  })
  // The address changes a moment after this component. If it changes to other columns than those that were sent, for
  // example by Back, the columns in the address count.
  if (String(inAddress) !== String(read)) {
    setRead(inAddress)
    const arrived = sent.lastIndexOf(String(inAddress))
    setSent(arrived < 0 ? [] : sent.slice(arrived + 1))
    if (arrived < 0) {
      setColumns(inAddress)
      setChanged(false)
    }
  }
  if (isError) return <ErrorState error={error} retry={() => void refetch()} />

  const titles = new Map(data?.map(({ name, title }) => [name, title]))
  const titleOf = (name: string) => titles.get(name) ?? name
  const show = (next: readonly string[]) => {
    for (const [list, ul] of [...(place.current?.querySelectorAll('ul') ?? [])].entries()) {
      const box = boxesIn(ul).indexOf(document.activeElement as HTMLInputElement)
      if (box >= 0) left.current = { list, box }
    }
    // All changes while this is open make one entry in the browser's history, so that one Back undoes them. After Back,
    // a change makes another entry.
    onChange((now) => ({ ...now, columns: next }), { replace: isChanged })
    setSent([...sent, String(next)])
    setChanged(true)
    setColumns(next)
  }
  const move = (name: string, place: number) => {
    show(movedTo(columns, name, place))
    setSaid(`${titleOf(name)} is now column ${place + 1} of ${columns.length}.`)
  }

  return (
    <div ref={place} className={classes['list']}>
      <div className={classes['head']}>
        <Text fw={600} size="sm">
          Columns
        </Text>
        <Button
          variant="subtle"
          size="compact-sm"
          disabled={areUsual(columns, choice)}
          onClick={() => {
            show(choice.usual)
            left.current = { list: 0, box: 0 }
            setSaid('The standard columns are shown.')
          }}
        >
          Standard columns
        </Button>
      </div>
      <ShownColumns
        columns={columns.map((name) => ({ name, title: titleOf(name) }))}
        kept={choice.kept}
        onMove={move}
        onRemove={(name) => show(columns.filter((one) => one !== name))}
      />
      {data && (
        <OtherColumns
          columns={data.filter(({ name }) => !columns.includes(name))}
          isFull={columns.length >= MAX_COLUMNS}
          onAdd={({ name, title }) => {
            show([...columns, name])
            setSaid(`${title} is now column ${columns.length + 1}.`)
          }}
        />
      )}
      <VisuallyHidden aria-live="polite">{said}</VisuallyHidden>
    </div>
  )
}

type OtherProps = { columns: readonly OfferedColumn[]; isFull: boolean; onAdd: (column: OfferedColumn) => void }

/** The columns that are not shown, with a search. */
function OtherColumns({ columns, isFull, onAdd }: OtherProps) {
  const [search, setSearch] = useState('')
  const sought = search.trim().toLowerCase()
  const found = columns.filter(({ title }) => title.toLowerCase().includes(sought))
  return (
    <div className={classes['others']}>
      <TextField
        aria-label="Find a column"
        placeholder="Find a column"
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <ul aria-label="Columns that are not shown">
        {found.map((column) => (
          <li key={column.name}>
            <Checkbox label={column.title} checked={false} disabled={isFull} onChange={() => onAdd(column)} />
          </li>
        ))}
      </ul>
      {found.length === 0 && (
        <Text size="sm" c="dimmed">
          {sought ? 'No such column.' : 'All columns are shown.'}
        </Text>
      )}
    </div>
  )
}
