import { ActionIcon, Alert, Button, Group, Stack, Text } from '@mantine/core'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconArrowBackUp from '@tabler/icons-react/dist/esm/icons/IconArrowBackUp.mjs'
import IconCamera from '@tabler/icons-react/dist/esm/icons/IconCamera.mjs'
import IconVolume from '@tabler/icons-react/dist/esm/icons/IconVolume.mjs'
import IconVolumeOff from '@tabler/icons-react/dist/esm/icons/IconVolumeOff.mjs'
import { Suspense, useMemo, useState } from 'react'
import { lazyPart } from '../../api/lazy-part.ts'
import { showToast } from '../../api/toast.ts'
import { PageHeader } from '../../ui/layout/page-header.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { NewestScan } from './newest-scan.tsx'
import classes from './scan.module.css'
import { ScanActions } from './scan-actions.tsx'
import { SCAN_COLUMNS } from './scan-columns.tsx'
import { ScanField } from './scan-field.tsx'
import type { ScanCounts } from './scan-list.ts'
import { isHeard, readySound, setHeard } from './tones.ts'
import { useScans } from './use-scans.ts'

// Loaded when somebody presses the button, because it is large and few people need it.
const Camera = lazyPart(() => import('./camera.tsx'))

const SHOWN_AT_ONCE = 100
const MORE = 400
/** If more codes than this wait, the screen says so. */
const FEW = 3

/**
 * The screen on which people scan device after device. It shows each item and whether it can be sold, and has actions
 * for all of them.
 */
export default function ScanPage() {
  const { scans, counts, queue, session } = useScans()
  const [camera, setCamera] = useState(false)
  const [limit, setLimit] = useState(SHOWN_AT_ONCE)
  const rows = useMemo(() => scans.slice(-limit).toReversed(), [scans, limit])
  const newest = scans.findLast(({ result }) => result !== 'waiting')
  const isBehind = scans.at(-1)?.result === 'waiting'
  return (
    <>
      <PageHeader title="Scan" actions={<ScanActions scans={scans} session={session} />} />
      <Stack gap="md">
        <Panel>
          <div className={classes['scan']}>
            <div className={classes['entry']}>
              <ScanField onCodes={session.add} disabled={false} />
              <Group gap="xs" wrap="nowrap">
                <Button
                  variant="default"
                  leftSection={<IconCamera size={16} stroke={1.6} />}
                  aria-expanded={camera}
                  onClick={() => {
                    readySound()
                    setCamera(!camera)
                  }}
                >
                  Camera
                </Button>
                <Button
                  variant="default"
                  leftSection={<IconArrowBackUp size={16} stroke={1.6} />}
                  disabled={scans.length === 0}
                  onClick={session.undo}
                >
                  Undo last
                </Button>
                <SoundSwitch />
              </Group>
            </div>
            {camera && (
              <Suspense fallback={<div className={classes['camera']} />}>
                <Camera onCode={(code) => session.add([code])} onClose={() => setCamera(false)} />
              </Suspense>
            )}
            <NewestScan scan={newest} isBehind={isBehind} />
          </div>
          {queue.trouble !== null && (
            <Alert color="red" role="alert" mt="sm" icon={<IconAlertTriangle size={18} />}>
              {queue.trouble} {waitingText(queue.waiting)}{' '}
              <Button size="compact-sm" variant="default" ml="xs" onClick={session.retry}>
                Send now
              </Button>
            </Alert>
          )}
        </Panel>
        <Panel p={0} className={classes['list'] ?? ''}>
          <Counts counts={counts} waiting={queue.waiting} />
          <div className={classes['rows']}>
            <DataTable
              label="Scanned"
              columns={SCAN_COLUMNS}
              rows={rows}
              empty={
                <Text size="sm" mt={4}>
                  Scan IMEIs, serial numbers or labels, one after the other, or paste a list.
                </Text>
              }
            />
          </div>
          {scans.length > limit && (
            <Group p="sm" justify="space-between">
              <Text size="sm" c="dimmed">
                The newest {limit.toLocaleString('en')} of {scans.length.toLocaleString('en')} are shown
              </Text>
              <Button size="xs" variant="default" onClick={() => setLimit(limit + MORE)}>
                Show more
              </Button>
            </Group>
          )}
        </Panel>
      </Stack>
    </>
  )
}

const waitingText = (n: number) => `${n.toLocaleString('en')} ${n === 1 ? 'code is' : 'codes are'} waiting.`

const NAMES = [
  ['found', 'Found'],
  ['sellable', 'Can be sold'],
  ['unknown', 'Not found'],
  ['again', 'Again'],
] as const

/** The number of scans by result. It stays in sight while the list scrolls. */
function Counts({ counts, waiting }: { counts: ScanCounts; waiting: number }) {
  return (
    <dl className={classes['counts']}>
      {NAMES.map(([name, title]) => (
        <div key={name} data-kind={counts[name] > 0 ? name : undefined}>
          <dt>{title}</dt>
          <dd>{counts[name].toLocaleString('en')}</dd>
        </div>
      ))}
      {waiting > FEW && <div className={classes['waiting']}>{waitingText(waiting)}</div>}
    </dl>
  )
}

function SoundSwitch() {
  const [on, setOn] = useState(isHeard)
  const toggle = () => {
    setHeard(!on)
    setOn(!on)
    if (!on) readySound()
    showToast({ type: 'info', message: on ? 'The sound is off.' : 'The sound is on.', about: 'scan sound' })
  }
  return (
    <ActionIcon variant="default" size={36} aria-label="Sound" aria-pressed={on} title="Sound" onClick={toggle}>
      {on ? <IconVolume size={18} stroke={1.6} /> : <IconVolumeOff size={18} stroke={1.6} />}
    </ActionIcon>
  )
}
