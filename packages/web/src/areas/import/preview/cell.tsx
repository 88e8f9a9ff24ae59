import { type KeyboardEvent, use } from 'react'
import { Mending } from './mending.ts'
import classes from './preview.module.css'

type Props = {
  row: number
  column: number
  name: string
  /** The value that the plan used. */
  was: string
  isWrong: boolean
}

/** A cell of the file that can be corrected in place: Enter goes to the row below, Escape brings the old value back. */
export function MendedCell({ row, column, name, was, isWrong }: Props) {
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
    // The name is for a phone, which has no column heads.
    <span className={classes['cell']} data-name={name}>
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
