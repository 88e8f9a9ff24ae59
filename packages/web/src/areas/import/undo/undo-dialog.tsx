import type { ImportUndo, KeptItem, KeptReason } from '@backstock/contract/import-undo.ts'
import { Alert, Button, Group, Modal, Progress, Skeleton, Stack, Text } from '@mantine/core'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { api, idempotencyKey } from '../../../api/client.ts'
import { errorMessage } from '../../../api/error.ts'
import { queryClient } from '../../../api/query-client.ts'
import { DANGER } from '../../../ui/layout/theme.ts'
import { TimeAgo } from '../../../ui/values/date-text.tsx'
import { recordPath, TextLink } from '../../../ui/values/link.tsx'
import { receivable } from '../../delivery-check/import-receipt.tsx'
import { readAfterUndo } from '../read-again.ts'
import classes from './undo.module.css'
import { importUndo, isUndoing, KEPT_SHOWN, undoSentences } from './undo.ts'

type Props = { id: number; name: string; onClose: () => void }

/** Says what the undo of an import would do, asks for confirmation, shows the progress, and reports the result. */
export function UndoDialog({ id, name, onClose }: Props) {
  const [{ page, isTurned }, setPage] = useState({ page: 1, isTurned: false })
  const { data, error, isPlaceholderData } = useQuery(importUndo(id, page, isTurned))
  const ended = useRef(false)
  const state = data?.state ?? null
  useEffect(() => {
    if (!isUndoing(state)) {
      if (ended.current) void readAfterUndo()
      ended.current = false
    } else ended.current = true
  }, [state])
  const isAhead = state === null || state === 'failed'
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={state === 'undone' ? `Undone: ${name}` : `Undo ${name}?`}
      closeButtonProps={{ 'aria-label': 'Close' }}
      classNames={{ title: classes['title'] ?? '' }}
    >
      {error && !data ? (
        <Text c="red" role="alert">
          {errorMessage(error)}
        </Text>
      ) : !data ? (
        <Stack gap="xs" aria-busy>
          <Text size="sm" c="dimmed">
            Checking what the undo would do…
          </Text>
          <Skeleton height={14} width="70%" />
          <Skeleton height={14} width="50%" />
        </Stack>
      ) : (
        <Stack gap="md">
          {isUndoing(state) && <Working undo={data} />}
          {data.error !== null && (
            <Alert color="red" icon={<IconAlertTriangle size={18} />}>
              {data.error}
            </Alert>
          )}
          {isAhead && data.refusal ? <Text>{data.refusal}</Text> : <Counts undo={data} />}
          {isAhead && data.kept_total > 0 && <ReceivedFirst id={id} />}
          {data.kept.length > 0 && (
            <KeptItems
              undo={data}
              page={page}
              onPage={(to) => setPage({ page: to, isTurned: true })}
              dimmed={isPlaceholderData}
            />
          )}
          {isAhead ? (
            <Ask id={id} disabled={data.refusal !== null || data.restored + data.removed === 0} onClose={onClose} />
          ) : (
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose}>
                Close
              </Button>
            </Group>
          )}
        </Stack>
      )}
    </Modal>
  )
}

function Working({ undo: { state, progress } }: { undo: ImportUndo }) {
  return (
    <Stack gap={6}>
      <Text size="sm" role="status">
        {state === 'waiting' ? 'It waits until other imports have ended.' : `Undoing… ${progress}%`}
      </Text>
      <Progress value={progress} animated aria-label="Undo progress" />
      <Text size="sm" c="dimmed">
        You can close this dialog: the undo goes on.
      </Text>
    </Stack>
  )
}

function Counts({ undo }: { undo: ImportUndo }) {
  const sentences = undoSentences(undo)
  const isAhead = undo.state === null || undo.state === 'failed'
  return (
    <div role="status">
      {sentences.length === 0 && !isUndoing(undo.state) && <Text>There is nothing to undo.</Text>}
      {sentences.map((sentence) => (
        <Text key={sentence}>{sentence}</Text>
      ))}
      {isAhead && undo.removed > 0 && (
        <Text size="sm" c="dimmed" mt={4}>
          Products, makes, colours and categories that it made are removed if nothing else uses them and nobody has
          changed them.
        </Text>
      )}
    </div>
  )
}

/**
 * The advice to make received items Inbound again first: otherwise they stay, and an import can be undone only once.
 */
function ReceivedFirst({ id }: { id: number }) {
  const { data } = useQuery(receivable(id))
  if (!data?.undoable.length) return null
  return (
    <Alert color="orange" role="note" icon={<IconAlertTriangle size={18} />}>
      Some of its items have been received since, and would stay. To remove them too, first undo receiving them (Undo
      beside ‘Received’).
    </Alert>
  )
}

type KeptProps = { undo: ImportUndo; page: number; onPage: (page: number) => void; dimmed: boolean }

/** The items that the undo does not change back, each with the reason. */
function KeptItems({ undo: { kept, kept_total, state }, page, onPage, dimmed }: KeptProps) {
  const from = (page - 1) * KEPT_SHOWN
  const to = from + kept.length
  return (
    <section aria-label="What stays" data-dimmed={dimmed || undefined} className={classes['kept']}>
      <Text size="sm" fw={600}>
        {state === 'undone' ? 'What stayed' : 'What stays'}
      </Text>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: people without a mouse scroll it with the keyboard */}
      <ul tabIndex={0}>
        {kept.map((item) => (
          <KeptLine key={item.id} item={item} />
        ))}
      </ul>
      {kept_total > KEPT_SHOWN && (
        <Group justify="space-between">
          <Text size="sm" c="dimmed">
            {(from + 1).toLocaleString('en')} to {to.toLocaleString('en')} of {kept_total.toLocaleString('en')}
          </Text>
          <Group gap="xs">
            <Button size="xs" variant="default" disabled={page === 1} onClick={() => onPage(page - 1)}>
              Previous
            </Button>
            <Button size="xs" variant="default" disabled={to >= kept_total} onClick={() => onPage(page + 1)}>
              Next
            </Button>
          </Group>
        </Group>
      )}
    </section>
  )
}

/** The screen of the record that a reason names by its number `ref`. */
const NAMED: Partial<Record<KeptReason, (ref: number) => string>> = {
  changed: (ref) => `/admin/stock/import/history?id=${ref}`,
  sale: (ref) => recordPath('sale', ref),
  batch: (ref) => recordPath('batch', ref),
  claim: (ref) => recordPath('supplier-claim', ref),
  return: (ref) => recordPath('return', ref),
  receipt: (ref) => recordPath('purchase-receipt', ref),
  taken: (ref) => recordPath('stock', ref),
}

/** The reason as text. The record that it names is a link. */
function Why({ item: { reason, ref, message } }: { item: KeptItem }) {
  const to = ref === null ? undefined : NAMED[reason]?.(ref)
  const name = `#${ref}`
  const at = message.indexOf(name)
  if (!to || at < 0) return message
  return (
    <>
      {message.slice(0, at)}
      <TextLink to={to} size="sm">
        {name}
      </TextLink>
      {message.slice(at + name.length)}
    </>
  )
}

function KeptLine({ item }: { item: KeptItem }) {
  const { id, product, identifier, reason, at } = item
  const name = [product, identifier].filter(Boolean).join(', ')
  return (
    <li>
      {reason === 'missing' ? (
        <span>#{id}</span>
      ) : (
        <TextLink to={recordPath('stock', id)} size="sm">
          #{id}
        </TextLink>
      )}
      <div>
        {name && <div>{name}</div>}
        <span className={classes['why']}>
          <Why item={item} />
        </span>{' '}
        {at && <TimeAgo iso={at} />}
      </div>
    </li>
  )
}

function Ask({ id, disabled, onClose }: { id: number; disabled: boolean; onClose: () => void }) {
  const [sending, setSending] = useState(false)
  const [trouble, setTrouble] = useState<string | null>(null)
  /** The idempotency key stays the same while the dialog is open, so that the undo starts only once. */
  const [key] = useState(idempotencyKey)
  const start = async () => {
    setSending(true)
    setTrouble(null)
    try {
      await api.post(`stock/import/history/${id}/undo`, { idempotent: key, silent: true })
      await queryClient.invalidateQueries({ queryKey: ['import'] })
    } catch (error) {
      setTrouble(errorMessage(error))
    } finally {
      setSending(false)
    }
  }
  return (
    <>
      {trouble && (
        <Alert color="red" role="alert" icon={<IconAlertTriangle size={18} />}>
          {trouble}
        </Alert>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <Button color={DANGER} disabled={disabled} loading={sending} onClick={() => void start()}>
          Undo import
        </Button>
      </Group>
    </>
  )
}
