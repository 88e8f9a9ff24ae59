import { Combobox, Text } from '@mantine/core'
import { useRef } from 'react'
import { errorMessage } from '../../api/error.ts'
import type { Choice } from './choice.ts'
import { MIN_SEARCH, type RemoteRows } from './remote-rows.ts'

type Props<Row extends Choice> = {
  rows: RemoteRows<Row>
  value: number | null
  labelOf: (row: Row) => string
  optionDisabled?: ((row: Row) => boolean) | undefined
  typed: string
  /** The last option, which creates a record: its value and its text. */
  create: { value: string; text: string } | null
}

/** The dropdown of a remote select. It loads more records when people scroll to its end. */
export function RemoteOptions<Row extends Choice>(props: Props<Row>) {
  const { value, labelOf, optionDisabled, typed, create } = props
  const { options, query } = props.rows
  const viewport = useRef<HTMLDivElement>(null)
  const onScroll = () => {
    const list = viewport.current
    const nearEnd = list && list.scrollTop + list.clientHeight >= list.scrollHeight - 40
    if (nearEnd && query.hasNextPage && !query.isFetching) void query.fetchNextPage()
  }
  return (
    <Combobox.Dropdown>
      {/* The list itself scrolls. A scroll area inside of it would have to be a tab stop. */}
      <Combobox.Options
        ref={viewport}
        mah={260}
        style={{ overflowY: 'auto', overscrollBehavior: 'contain' }}
        onScroll={onScroll}
      >
        {options.map((row) => (
          <Combobox.Option
            key={row.id}
            value={String(row.id)}
            active={row.id === value}
            disabled={optionDisabled?.(row) ?? false}
          >
            {labelOf(row)}
          </Combobox.Option>
        ))}
        {create && <Combobox.Option value={create.value}>{create.text}</Combobox.Option>}
        {query.isError && <Combobox.Empty>{errorMessage(query.error)}</Combobox.Empty>}
        {query.isSuccess && options.length === 0 && !create && <Combobox.Empty>No results found</Combobox.Empty>}
        {query.isFetchingNextPage && <Combobox.Empty>Loading more…</Combobox.Empty>}
      </Combobox.Options>
      {typed.length > 0 && typed.trim().length < MIN_SEARCH && (
        <Combobox.Footer>
          <Text size="xs" c="dimmed">
            Type at least {MIN_SEARCH} characters to filter.
          </Text>
        </Combobox.Footer>
      )}
    </Combobox.Dropdown>
  )
}
