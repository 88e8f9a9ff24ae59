import type { WriteAnswer } from '@backstock/contract/answer.ts'
import type { DeliveryCheckAnswer, DeliveryLine, Scanned, ScannedLine } from '@backstock/contract/delivery-check.ts'
import { CHECK_LIST_NAMES, CHECK_LISTS, CHECK_STATE_NAMES, type CheckList } from '@backstock/contract/delivery-lists.ts'
import { Alert, Button, Stack, Tabs, Text } from '@mantine/core'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useEffect, useMemo, useRef, useState } from 'react'
import { api, apiUrl, idempotencyKey } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'
import { invalidate } from '../../api/reads.ts'
import { onLoggedOut, useMe } from '../../api/session.ts'
import { PageBar, useLastPage } from '../../crud/list-bar.tsx'
import type { ListState } from '../../crud/list-state.ts'
import { UnreadRecord } from '../../crud/unread-record.tsx'
import type { ListChange } from '../../crud/use-list-state.ts'
import { useListState } from '../../crud/use-list-state.ts'
import { useLeaveGuard } from '../../ui/feedback/leave-guard.ts'
import { useAct } from '../../ui/feedback/use-act.ts'
import { PageHeader } from '../../ui/layout/page-header.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { Sections } from '../../ui/layout/section.tsx'
import { LogTimeline } from '../../ui/log/log-timeline.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { DateTime } from '../../ui/values/date-text.tsx'
import { recordPath, TextLink } from '../../ui/values/link.tsx'
import { StatusBadge } from '../../ui/values/status-badge.tsx'
import { receive } from '../bulk/bulk.ts'
import { ReceivedActs } from '../bulk/received-acts.tsx'
import { keptCodes } from '../scan/kept-codes.ts'
import { ScanField } from '../scan/scan-field.tsx'
import { type QueueState, scanQueue } from '../scan/scan-queue.ts'
import { type Heard, hear } from '../scan/tones.ts'
import classes from './delivery-check.module.css'
import { deliveryCheck } from './delivery-check.ts'
import { EMPTY, LINE_COLUMNS } from './line-columns.tsx'
import { type Newest, NewestScans, soundOf } from './newest-scans.tsx'

type Check = DeliveryCheckAnswer['data']

const LIST = {
  filters: [
    { name: 'show', label: 'List', options: CHECK_LISTS.map((value) => ({ value, label: CHECK_LIST_NAMES[value] })) },
  ],
}

export default function DeliveryCheckPage() {
  const { id: text } = useParams({ strict: false }) as { id?: string }
  const id = text && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null
  const [state, change] = useListState(LIST)
  const show = (state.chosen['show']?.[0] ?? 'matched') as CheckList
  const found = useQuery({
    ...deliveryCheck(id ?? 0, { show, page: state.page, per_page: state.perPage }),
    enabled: id !== null,
  })
  const check = found.data
  useLastPage({ state, onChange: change }, found.isPlaceholderData ? undefined : check?.lines.last_page)
  if (check) return <Checking key={check.id} {...{ check, show, state, change, isOther: found.isPlaceholderData }} />
  return (
    <>
      <PageHeader title={`Delivery check #${text ?? ''}`} crumbs={crumbs(text ?? '')} />
      <UnreadRecord id={id} read={found} kind="delivery check" />
    </>
  )
}

const crumbs = (id: number | string) => [
  { title: 'Stock', to: '/admin/stock' },
  { title: 'Deliveries', to: '/admin/stock/check' },
  { title: `#${id}` },
]

type Props = { check: Check; show: CheckList; state: ListState; change: ListChange; isOther: boolean }

function Checking({ check, show, state, change, isOther }: Props) {
  const { id, counts } = check
  const isOpen = check.state === 'open'
  const { scans, queue, add, retry, discard } = useScans(id)
  useLeaveGuard(queue.waiting > 0)
  return (
    <>
      <PageHeader title={check.name} crumbs={crumbs(id)} actions={<Actions check={check} />} />
      <Facts check={check} />
      <Stack gap="md">
        {(isOpen || queue.waiting > 0) && (
          <Panel data-screen-only>
            <div className={classes['scan']}>
              <ScanField onCodes={add} disabled={!isOpen} />
              <NewestScans scans={scans} />
            </div>
            {queue.trouble !== null && (
              <Alert color="red" role="alert" mt="sm" icon={<IconAlertTriangle size={18} />}>
                {queue.trouble} {waitingText(queue.waiting)}{' '}
                <Button size="compact-sm" variant="default" ml="xs" onClick={retry}>
                  Send now
                </Button>
                <Button size="compact-sm" variant="default" ml="xs" onClick={discard}>
                  Discard
                </Button>
              </Alert>
            )}
            {queue.trouble === null && queue.waiting > MANY && (
              <Text size="sm" c="dimmed" mt="xs" role="status">
                {waitingText(queue.waiting)}
              </Text>
            )}
          </Panel>
        )}
        <Panel p={0} className={classes['lists'] ?? ''}>
          <Tabs
            value={show}
            onChange={(chosen) => change({ chosen: { show: chosen === 'matched' || !chosen ? [] : [chosen] } })}
            keepMountedMode="display-none"
          >
            <div className={classes['counts']}>
              <span className={classes['expected']}>
                Expected <b>{counts.expected.toLocaleString('en')}</b>
              </span>
              <Tabs.List className={classes['tabs'] ?? ''}>
                {CHECK_LISTS.map((list) => (
                  <Tabs.Tab key={list} value={list} data-list={counts[list] > 0 ? list : undefined}>
                    {CHECK_LIST_NAMES[list]} <b>{counts[list].toLocaleString('en')}</b>
                  </Tabs.Tab>
                ))}
              </Tabs.List>
            </div>
            {CHECK_LISTS.map((list) => (
              <Tabs.Panel key={list} value={list}>
                {list === show && (
                  <>
                    <DataTable<DeliveryLine>
                      label={CHECK_LIST_NAMES[show]}
                      columns={LINE_COLUMNS[show]}
                      rows={check.lines.rows}
                      dimmed={isOther}
                      empty={
                        <Text size="sm" mt={4}>
                          {EMPTY[show]}
                        </Text>
                      }
                    />
                    {check.lines.last_page > 1 && (
                      <PageBar state={state} onChange={change} lastPage={check.lines.last_page} />
                    )}
                  </>
                )}
              </Tabs.Panel>
            ))}
          </Tabs>
        </Panel>
        <Sections items={[{ name: 'logs', title: 'Logs', content: <LogTimeline logs={check.logs} /> }]} open={[]} />
      </Stack>
    </>
  )
}

/** If more codes than this wait, the screen says so. */
const MANY = 3
const waitingText = (n: number) => `${n.toLocaleString('en')} ${n === 1 ? 'code is' : 'codes are'} waiting.`
/**
 * If several codes arrive together, one tone sounds: that of the worst result. In this list the worst result is the
 * first.
 */
const WORST: readonly Heard[] = ['unknown', 'refused', 'again', 'sellable']
/** How many of the newest scans are shown. */
const SHOWN = 5
const IDLE: QueueState = { waiting: 0, trouble: null }

/**
 * The scans of this window: the queue of codes, including those that waited when the person left the screen, and the
 * newest results.
 */
function useScans(id: number) {
  const { id: userId } = useMe()
  const [scans, setScans] = useState<readonly Newest[]>([])
  const [queue, setQueue] = useState(IDLE)
  const told = useRef(0)
  const { add, retry, discard, start, stop } = useMemo(() => {
    const show = (lines: readonly ScannedLine[]) => {
      const newest = lines.slice(-SHOWN).map((line) => ({ key: ++told.current, line }))
      setScans((before) => [...newest.toReversed(), ...before].slice(0, SHOWN))
    }
    const onRefused = (code: string, message: string) => {
      hear('unknown')
      show([{ code, result: 'hint', n: 1, message, item: null }])
    }
    const send = async (codes: readonly string[], key: string, signal: AbortSignal) => {
      const call = { body: { codes }, idempotent: key, silent: true, signal }
      const { data } = await api.post<WriteAnswer<Scanned>>(`stock/check/${id}/scan`, call)
      const heard = new Set(data.lines.map(soundOf))
      const worst = WORST.find((one) => heard.has(one))
      if (worst) hear(worst)
      show(data.lines)
      const queryKey = ['stock/check', 'record', id]
      queryClient.setQueriesData<Check>({ queryKey }, (check) => check && { ...check, counts: data.counts })
      void queryClient.invalidateQueries({ queryKey })
    }
    return scanQueue(send, setQueue, { kept: keptCodes(`check ${id} ${userId}`), onRefused })
  }, [id, userId])
  useEffect(() => {
    start()
    const forget = onLoggedOut(stop)
    return () => {
      forget()
      stop()
    }
  }, [start, stop])
  return { scans, queue, add, retry, discard }
}

function Facts({ check }: { check: Check }) {
  const { state, supplier_id, supplier_name, import_id, created_at, created_by_name, undoable } = check
  return (
    <>
      <div className={classes['facts']}>
        <StatusBadge status={CHECK_STATE_NAMES[state]} />
        {supplier_id !== null && <TextLink to={recordPath('supplier', supplier_id)}>{supplier_name}</TextLink>}
        {import_id !== null && (
          <TextLink to={`/admin/stock/import/history?id=${import_id}`}>Import #{import_id}</TextLink>
        )}
        <span className={classes['quiet']}>
          <DateTime iso={created_at} />
          {created_by_name && ` by ${created_by_name}`}
        </span>
      </div>
      {undoable.length > 0 && (
        <div className={classes['received']}>
          <ReceivedActs acts={undoable} />
        </div>
      )}
    </>
  )
}

/** In the bar of a phone each button is at least as wide as its words. */
const WHOLE = { flex: '1 0 auto' }

function Actions({ check: { id, state, counts } }: { check: Check }) {
  const [running, run] = useAct()
  const [moving, runMove] = useAct()
  const key = useRef(idempotencyKey())
  const isOpen = state === 'open'
  const move = async () => {
    await runMove(() => api.post(`stock/check/${id}/${isOpen ? 'close' : 'reopen'}`))
    await invalidate('stock/check')
  }
  const receiveAll = () =>
    run(async () => {
      await receive(`stock/check/${id}/receive`, key.current)
      key.current = idempotencyKey()
    })
  return (
    <>
      <Button component="a" href={apiUrl(`stock/check/${id}/csv`)} download variant="default" style={WHOLE}>
        Claim list
      </Button>
      <Button variant="default" style={WHOLE} loading={moving} onClick={() => void move()}>
        {isOpen ? 'Close' : 'Reopen'}
      </Button>
      {isOpen && (
        <Button style={WHOLE} loading={running} disabled={counts.receivable === 0} onClick={() => void receiveAll()}>
          {counts.receivable > 0 ? `Receive ${counts.receivable.toLocaleString('en')} matched` : 'Nothing to receive'}
        </Button>
      )}
    </>
  )
}
