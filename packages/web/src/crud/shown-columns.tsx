import { ActionIcon, Checkbox } from '@mantine/core'
import IconArrowDown from '@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs'
import IconArrowUp from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs'
import IconGripVertical from '@tabler/icons-react/dist/esm/icons/IconGripVertical.mjs'
import { type PointerEvent, useEffect, useRef, useState } from 'react'
import { movedTo, type OfferedColumn } from './column-choice.ts'
import classes from './column-list.module.css'

type Props = {
  columns: readonly OfferedColumn[]
  /** The name of the column that cannot be removed. */
  kept: string
  onMove: (name: string, place: number) => void
  onRemove: (name: string) => void
}
type Step = 'up' | 'down'

/** The list of shown columns. People move them with buttons, or by dragging a handle. */
export function ShownColumns({ columns, kept, onMove, onRemove }: Props) {
  const list = useRef<HTMLUListElement>(null)
  const [dragged, setDragged] = useState<{ name: string; place: number } | null>(null)
  const focusNext = useRef<{ name: string; step: Step } | null>(null)
  const names = columns.map(({ name }) => name)
  const drawn = dragged ? movedTo(names, dragged.name, dragged.place) : names

  // A button that has moved in the document loses the focus, so it gets the focus back.
  useEffect(() => {
    if (!focusNext.current) return
    const { name, step } = focusNext.current
    focusNext.current = null
    const row = [...(list.current?.children ?? [])].find((one) => (one as HTMLElement).dataset['name'] === name)
    const button = (which: string) => row?.querySelector<HTMLButtonElement>(`[data-step=${which}]:enabled`)
    ;(button(step) ?? button(step === 'up' ? 'down' : 'up'))?.focus()
  })

  // The window's events are used, because a dragged column moves in the document and would lose its pointer events.
  const name = dragged?.name
  const latest = useRef({ dragged, names, onMove })
  useEffect(() => {
    latest.current = { dragged, names, onMove }
  })
  useEffect(() => {
    if (name === undefined) return
    const placeAt = (y: number) => {
      const rows = [...(list.current?.children ?? [])].map((row) => row.getBoundingClientRect())
      return Math.min(rows.filter(({ bottom }) => y > bottom).length, rows.length - 1)
    }
    const move = ({ clientY }: globalThis.PointerEvent) => setDragged({ name, place: placeAt(clientY) })
    const drop = () => {
      const { dragged, names, onMove } = latest.current
      setDragged(null)
      if (dragged && dragged.place !== names.indexOf(name)) onMove(name, dragged.place)
    }
    const leave = () => setDragged(null)
    addEventListener('pointermove', move)
    addEventListener('pointerup', drop)
    addEventListener('pointercancel', leave)
    return () => {
      removeEventListener('pointermove', move)
      removeEventListener('pointerup', drop)
      removeEventListener('pointercancel', leave)
    }
  }, [name])
  const grab = (name: string) => (event: PointerEvent) => {
    if (event.button !== 0) return
    event.preventDefault()
    setDragged({ name, place: names.indexOf(name) })
  }

  return (
    <ul ref={list} className={classes['shown']} aria-label="Columns that are shown">
      {drawn.map((name, place) => {
        const title = columns.find((column) => column.name === name)?.title ?? name
        const mover = (step: Step, to: number) => (
          <ActionIcon
            variant="subtle"
            color="gray"
            size="md"
            data-step={step}
            aria-label={`Move ${title} ${step}`}
            disabled={to < 0 || to >= drawn.length}
            onClick={() => {
              focusNext.current = { name, step }
              onMove(name, to)
            }}
          >
            {step === 'up' ? <IconArrowUp size={15} /> : <IconArrowDown size={15} />}
          </ActionIcon>
        )
        return (
          <li key={name} data-name={name} data-dragged={dragged?.name === name || undefined}>
            <span className={classes['grip']} aria-hidden onPointerDown={grab(name)}>
              <IconGripVertical size={15} />
            </span>
            <Checkbox
              className={classes['name'] ?? ''}
              label={title}
              checked
              disabled={name === kept || drawn.length === 1}
              title={name === kept ? 'This column stays, because it leads to the record.' : undefined}
              onChange={() => onRemove(name)}
            />
            {mover('up', place - 1)}
            {mover('down', place + 1)}
          </li>
        )
      })}
    </ul>
  )
}
