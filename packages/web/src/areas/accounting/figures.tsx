import { formatMoney, type Hundredths } from '@backstock/contract/money.ts'
import { Text, Title } from '@mantine/core'
import { type ReactNode, useRef } from 'react'
import { Panel } from '../../ui/layout/panel.tsx'
import { useFitWidth } from '../../ui/table/fit-width.ts'
import classes from './accounting.module.css'

/** An amount without its currency, which the page names once. */
export function Amount({ of: amount }: { of: Hundredths }) {
  return <span data-negative={amount < 0 || undefined}>{formatMoney(amount)}</span>
}

const amountCell = (amount: Hundredths) => <Amount of={amount} />
/** Cells of a row with these amounts. */
export const amountCells = (amounts: readonly Hundredths[]): ReactNode[] => amounts.map(amountCell)

export type FigureColumn = { head: string; isText?: true; isDetail?: true }
export type FigureRow = { key: string; cells: ReactNode[]; isTotal?: boolean }

type Props = { title: string; note?: ReactNode; columns: FigureColumn[]; rows: FigureRow[]; none: string }

/** A table of figures with a title. A phone does not show the columns of details. */
export function FigurePanel({ title, note, columns, rows, none }: Props) {
  return (
    <Panel p={0} className={classes['panel'] ?? ''}>
      <Title order={2}>{title}</Title>
      {rows.length === 0 ? (
        <Text c="dimmed" size="sm" px="md" pb="md">
          {none}
        </Text>
      ) : (
        <Figures title={title} columns={columns} rows={rows} />
      )}
      {note && rows.length > 0 && <div className={classes['note']}>{note}</div>}
    </Panel>
  )
}

function Figures({ title, columns, rows }: Pick<Props, 'title' | 'columns' | 'rows'>) {
  const table = useRef<HTMLTableElement>(null)
  useFitWidth(table, columns, false)
  const is = ({ isText, isDetail }: FigureColumn) => ({ 'data-text': isText, 'data-detail': isDetail })
  return (
    <div className={classes['frame']}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: people without a mouse scroll it with the keyboard */}
      <section className={classes['scroll']} aria-label={title} tabIndex={0}>
        <table ref={table} className={classes['table']} aria-label={title}>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column.head} scope="col" {...is(column)}>
                  {column.head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ key, cells, isTotal }) => (
              <tr key={key} data-total={isTotal || undefined}>
                {columns.map((column, at) => (
                  <td key={column.head} {...is(column)}>
                    {cells[at]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  )
}
