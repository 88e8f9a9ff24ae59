import { type KeyboardEvent, use } from 'react'
import { Mending } from './mending.ts'
import classes from './preview.module.css'

type Props = {
  row: number
  column: number
  name: string
  /** The value with which the plan was made. */
  was: string
  isWrong: boolean
  /** True if the cell identifies a device. Such a value is never cut. */
  isIdentifier: boolean
}

/** A cell of the file that a person can correct. Enter goes to the row below, Escape restores the old value. */
export function MendedCell({ row, column, name, was, isWrong, isIdentifier }: Props) {
  const { read, write, undo } = use(Mending)
  const now = read(row, column, was)
  const keyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const { key, ctrlKey, metaKey, nativeEvent, currentTarget } = event
    if (key === 'Escape') undo({ row, column })
    if (key !== 'Enter' || ctrlKey || metaKey || nativeEvent.isComposing) return
    event.preventDefault()
    const cells = [
      ...(currentTarget.closest('table')?.querySelectorAll<HTMLInputElement>(`input[data-column="${column}"]`) ?? []),
    ]
    const below = cells[cells.indexOf(currentTarget) + (event.shiftKey ? -1 : 1)]
    below?.focus()
    below?.select()
  }
  return (
    // A phone has no column heads, so CSS shows the name beside the cell.
    <span className={classes['cell']} data-name={name} data-identifier={isIdentifier || undefined}>
      <input
        type="text"
        data-column={column}
        aria-label={`${name}, row ${row}`}
        aria-invalid={isWrong || undefined}
        autoComplete="off"
        spellCheck={false}
        data-mended={now !== was || undefined}
        value={now}
        onChange={({ currentTarget: { value } }) =>
          value === was ? undo({ row, column }) : write({ row, column, value })
        }
        onKeyDown={keyDown}
      />
    </span>
  )
}
