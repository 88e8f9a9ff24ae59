import { Group, Text } from '@mantine/core'
import { Pages } from './pages.tsx'

const ROWS_AT_ONCE = 100

/** The rows of this page. If there are fewer pages, the rows of the last page. */
export function rowsOf<Row>(rows: readonly Row[], page: number): { rows: readonly Row[]; page: number; pages: number } {
  const pages = Math.max(1, Math.ceil(rows.length / ROWS_AT_ONCE))
  const here = Math.min(page, pages)
  return { rows: rows.slice((here - 1) * ROWS_AT_ONCE, here * ROWS_AT_ONCE), page: here, pages }
}

/** The page of a row. `place` counts from 0, pages count from 1. */
export const pageOf = (place: number): number => Math.floor(place / ROWS_AT_ONCE) + 1

type Props = { page: number; pages: number; total: number; onPage: (page: number) => void; noun?: string }

/** Buttons that turn the pages of rows that are all loaded already. Shows nothing if there is one page. */
export function RowPages({ page, pages, total, onPage, noun = 'items' }: Props) {
  if (pages === 1) return null
  return (
    <Group justify="space-between" p="sm">
      <Text size="sm" c="dimmed">
        {((page - 1) * ROWS_AT_ONCE + 1).toLocaleString('en')} to{' '}
        {Math.min(page * ROWS_AT_ONCE, total).toLocaleString('en')} of {total.toLocaleString('en')} {noun}
      </Text>
      <Pages page={page} pages={pages} onPage={onPage} />
    </Group>
  )
}
