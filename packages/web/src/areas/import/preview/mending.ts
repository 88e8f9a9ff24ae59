import type { PreviewChanges } from '@backstock/contract/import-preview.ts'
import { createContext, useState } from 'react'

type Cell = NonNullable<PreviewChanges['cells']>[number]
type Cells = ReadonlyMap<string, Cell>

const place = ({ row, column }: Pick<Cell, 'row' | 'column'>) => `${row} ${column}`
const both = (before: Cells, more: readonly Cell[]): Cells =>
  new Map([...before, ...more.map((cell) => [place(cell), cell] as const)])
const without = (before: Cells, gone: readonly Cell[]): Cells => {
  const places = new Set(gone.map(place))
  return new Map([...before].filter(([at]) => !places.has(at)))
}

/**
 * The cells of the file that a person has corrected. `typed` ones are not sent yet, `checked` ones were sent and are
 * part of the next plan. Both are kept here, because rows leave the screen when somebody turns a page.
 */
export function useMending() {
  const [typed, setTyped] = useState<Cells>(new Map())
  /** The sent values stand in their cells until the rows are read again. */
  const [checked, setChecked] = useState<Cells>(new Map())
  return {
    typed: [...typed.values()],
    /** The present value of a cell. `was` is its value in the plan. */
    read: (row: number, column: number, was: string) => {
      const at = place({ row, column })
      return (typed.get(at) ?? checked.get(at))?.value ?? was
    },
    write: (cell: Cell) => setTyped((now) => both(now, [cell])),
    /** Forgets the typed value of this cell. */
    undo: (cell: Pick<Cell, 'row' | 'column'>) => setTyped((now) => without(now, [{ ...cell, value: '' }])),
    forget: () => setTyped(new Map()),
    /** Returns the typed cells, which the caller sends, and counts them as checked from now on. */
    check: () => {
      const cells = [...typed.values()]
      setChecked((now) => both(now, cells))
      setTyped(new Map())
      return cells
    },
    /**
     * Call it if the server refuses cells: they count as typed again, unless something else was typed in them since.
     */
    putBack: (cells: readonly Cell[]) => {
      setChecked((now) => without(now, cells))
      setTyped((now) => new Map([...both(new Map(), cells), ...now]))
    },
  }
}

export const Mending = createContext<Pick<ReturnType<typeof useMending>, 'read' | 'write' | 'undo'>>({
  read: (_row, _column, was) => was,
  write: () => {},
  undo: () => {},
})
