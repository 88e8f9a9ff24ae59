import type { ImportEntry } from '@backstock/contract/import.ts'
import type { Page } from '@backstock/contract/page.ts'
import { Accordion, Badge, Box, Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api, type Query } from '../../../api/client.ts'
import { useMe } from '../../../api/session.ts'
import type { Filter } from '../../../crud/area.ts'
import { FilterChips, PageBar, useLastPage } from '../../../crud/list-bar.tsx'
import { choose, entriesShown, listQuery } from '../../../crud/list-state.ts'
import { useListState } from '../../../crud/use-list-state.ts'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { MultiSelect } from '../../../ui/fields/select.tsx'
import { PageHeader } from '../../../ui/layout/page-header.tsx'
import { Panel } from '../../../ui/layout/panel.tsx'
import { TimeAgo } from '../../../ui/values/date-text.tsx'
import { recordPath, TextLink } from '../../../ui/values/link.tsx'
import { ImportProgress } from '../import-progress.tsx'
import { importName, statusOf } from '../import-status.ts'
import { isUndoing } from '../undo/undo.ts'
import { ImportDetails } from './details.tsx'
import classes from './history.module.css'

const TYPES = [
  { value: 'api_import', label: 'API' },
  { value: 'csv_import', label: 'CSV' },
]
const ONE: Filter = { name: 'id', label: 'Import', options: [], chip: (id) => (/^\d{1,9}$/.test(id) ? `#${id}` : null) }
const LIST = { area: 'stock/import/history', filters: [{ name: 'type', label: 'Type', options: TYPES }, ONE] }
/** Crumbs of its own, because this screen is one level deeper than the operations of a resource. */
const CRUMBS = [
  { title: 'Stock', to: '/admin/stock' },
  { title: 'Import', to: '/admin/stock/import' },
  { title: 'History' },
]
const RUNNING_MS = 2000

const history = (query: Query) =>
  queryOptions({
    queryKey: ['import', 'history', query],
    queryFn: ({ signal }) => api.get<Page<ImportEntry>>('stock/import/history', { query, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.data.some(isUnderWay) ? RUNNING_MS : false),
  })

const isUnderWay = ({ state, undo }: ImportEntry) => state === 'waiting' || state === 'running' || isUndoing(undo)

/** The history of all imports by everybody, newest first. */
export default function ImportHistoryPage() {
  const [state, change] = useListState(LIST)
  const page = useQuery(history(listQuery(state)))
  useLastPage({ state, onChange: change }, page.isPlaceholderData ? undefined : page.data?.last_page)
  const data = page.data
  const types = state.chosen['type'] ?? []
  const asked = state.chosen['id'] ?? []
  return (
    <>
      <PageHeader title="Import History" crumbs={CRUMBS} note={data ? entriesShown(data) : ' '} />
      {state.page === 1 && types.length + asked.length === 0 && data && <LastImport entries={data.data} />}
      <Panel p={0}>
        <div className={classes['filters']}>
          <MultiSelect
            aria-label="Type"
            placeholder={types.length ? '' : 'Type: all'}
            data={TYPES}
            value={types}
            onChange={(values) => change(choose('type', types, values))}
            clearable
            clearButtonProps={{ 'aria-label': 'Clear the type' }}
            miw={200}
          />
          <FilterChips filter={ONE} chosen={asked} onChange={change} />
        </div>
        {page.isError && !data ? (
          <ErrorState error={page.error} retry={() => void page.refetch()} />
        ) : !data ? (
          <Stack p="md">
            {[1, 2, 3, 4, 5].map((row) => (
              <Skeleton key={row} height={32} />
            ))}
          </Stack>
        ) : data.data.length === 0 ? (
          <NoImports
            filtered={Object.values(state.chosen).some((values) => values.length > 0)}
            onShowAll={() => change({ chosen: {} })}
          />
        ) : (
          <Entries
            key={`${state.page} ${types.join()} ${asked.join()}`}
            entries={data.data}
            asked={asked}
            dimmed={page.isPlaceholderData}
          />
        )}
        {data && <PageBar state={state} onChange={change} lastPage={data.last_page} />}
      </Panel>
    </>
  )
}

const DAY_MS = 24 * 60 * 60 * 1000

/**
 * The person's newest import of the last day, with what to do next: they may have left the screen on which it ended.
 */
function LastImport({ entries }: { entries: readonly ImportEntry[] }) {
  const me = useMe()
  const last = entries.find(({ user_id }) => user_id === me.id)
  if (!last || isUnderWay(last) || Date.now() - Date.parse(last.created_at) > DAY_MS) return null
  return (
    <Box mb="md" component="section" aria-label="Your last import">
      <ImportProgress status={statusOf(last)} isBrief />
    </Box>
  )
}

/** The content of an empty list. */
function NoImports({ filtered, onShowAll }: { filtered: boolean; onShowAll: () => void }) {
  return (
    <Stack align="center" gap="sm" py={40}>
      <Text c="dimmed">No import data</Text>
      {!filtered && (
        <Text size="sm" ta="center" maw={480} px="md">
          Every import is kept here with the result of each row: look again, correct what failed, or undo it.
        </Text>
      )}
      {filtered ? (
        <Button variant="default" onClick={onShowAll}>
          Show all imports
        </Button>
      ) : (
        <Button component={Link} to="/admin/stock/import" variant="default">
          Import a CSV file
        </Button>
      )}
    </Stack>
  )
}

type EntriesProps = {
  entries: readonly ImportEntry[]
  /** The ids of the entries that a link to this screen names: they start open. */
  asked: readonly string[]
  dimmed: boolean
}

function Entries({ entries, asked, dimmed }: EntriesProps) {
  const [opened, setOpened] = useState([...asked])
  return (
    <Accordion
      multiple
      value={opened}
      onChange={setOpened}
      chevronPosition="left"
      className={classes['entries'] ?? ''}
      data-dimmed={dimmed || undefined}
      aria-busy={dimmed}
    >
      {entries.map((entry) => (
        <Accordion.Item key={entry.id} value={String(entry.id)} className={classes['entry'] ?? ''}>
          <div className={classes['row']}>
            <Accordion.Control>
              <Summary entry={entry} />
            </Accordion.Control>
            <div className={classes['who']}>
              <Importer entry={entry} />
              <TimeAgo iso={entry.created_at} words={entry.time_ago} />
            </div>
          </div>
          <Accordion.Panel>{opened.includes(String(entry.id)) && <ImportDetails entry={entry} />}</Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  )
}

const STATES = { waiting: 'Waiting', running: 'Running', done: null, failed: 'Stopped' } as const
const UNDO_STATES = {
  waiting: ['Undo waiting', 'blue'],
  undoing: ['Being undone', 'blue'],
  undone: ['Undone', 'gray'],
  failed: ['Undo stopped', 'red'],
} as const

function Summary({ entry }: { entry: ImportEntry }) {
  const { processed_rows, successed_rows, failed_rows } = entry.content.data
  const counts = [
    ['Processed', processed_rows, undefined],
    ['Success', successed_rows, undefined],
    ['Failed', failed_rows, failed_rows > 0 ? classes['failed'] : undefined],
  ] as const
  const state = STATES[entry.state]
  const [undo, colour] = entry.undo === null ? [] : UNDO_STATES[entry.undo]
  return (
    <Group gap="6px 18px">
      <Group gap={8} wrap="nowrap" className={classes['name'] ?? ''}>
        <Badge variant="default" radius="sm" tt="none" className={classes['type'] ?? ''}>
          {entry.type === 'api_import' ? 'API' : 'CSV'}
        </Badge>
        <Text span size="sm" style={{ overflowWrap: 'anywhere' }}>
          {importName(entry.file_name, entry.id)}
        </Text>
      </Group>
      <span className={classes['counts']}>
        {counts.map(([label, count, className]) => (
          <Text key={label} span size="sm" className={className ?? ''}>
            {label}: <b>{count.toLocaleString('en')}</b>
          </Text>
        ))}
      </span>
      {state && (
        <Badge color={entry.state === 'failed' ? 'red' : 'blue'} variant="light" radius="sm" tt="none">
          {state}
        </Badge>
      )}
      {undo && (
        <Badge color={colour} variant="light" radius="sm" tt="none">
          {undo}
        </Badge>
      )}
    </Group>
  )
}

function Importer({ entry }: { entry: ImportEntry }) {
  if (entry.user_id === null)
    return (
      <Text size="sm" truncate title={entry.partner_name ?? undefined}>
        (API Import)
      </Text>
    )
  return (
    <TextLink to={recordPath('user', entry.user_id)} size="sm" truncate>
      {entry.user_name ?? `#${entry.user_id}`}
    </TextLink>
  )
}
