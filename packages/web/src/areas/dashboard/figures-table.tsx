import { Skeleton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Target } from './dashboard.ts'
import classes from './figures-table.module.css'

/** A row of numbers, which all lead to the same list. */
type Row = { key: string; head: ReactNode; target: Target; cells: ReactNode[] | undefined; strong?: boolean }

/** Numbers side by side. Rows without `cells` are still on their way and already have their place. */
export function FiguresTable({ label, columns, rows }: { label: string; columns: string[]; rows: Row[] }) {
  const [first, ...others] = columns
  return (
    <div className={classes['scroll']}>
      <table className={classes['table']} aria-label={label} aria-busy={rows.some((row) => !row.cells)}>
        <thead>
          <tr>
            <th scope="col">{first}</th>
            {others.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, head, target, cells, strong }) => (
            <tr key={key} data-strong={strong || undefined}>
              <th scope="row">
                <Link {...target}>{head}</Link>
              </th>
              {others.map((column, at) => (
                <td key={column}>
                  {cells ? (
                    // Each row is one stop for the keyboard: its numbers lead to the same place as its head.
                    <Link {...target} tabIndex={-1}>
                      {cells[at]}
                    </Link>
                  ) : (
                    <Skeleton height={10} width={56} ml="auto" mr={8} />
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
