import { Skeleton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Target } from './dashboard.ts'
import classes from './figures-table.module.css'

/** A row of numbers. All of them link to the same list. `cells` is undefined while the row loads. */
type Row = { key: string; head: ReactNode; target: Target; cells: ReactNode[] | undefined; strong?: boolean }

/** A table of numbers. A row that still loads has its place already. */
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
                    // Each row is one stop for the Tab key, because the link in its head leads to the same list as its
                    // numbers.
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
