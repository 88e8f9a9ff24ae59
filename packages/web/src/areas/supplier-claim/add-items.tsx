import { CLAIM_REASONS, isReturnable } from '@backstock/contract/claim-state.ts'
import type { QuickOrderAnswer, QuickOrderRow, StockRow } from '@backstock/contract/stock.ts'
import type { SupplierClaim } from '@backstock/contract/supplier-claim.ts'
import { Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type Dispatch, type SetStateAction, useMemo, useState } from 'react'
import { errorMessage } from '../../api/error.ts'
import { Select } from '../../ui/fields/select.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { useWhenReady } from '../../ui/layout/use-ctrl-enter.ts'
import { useBasket } from '../basket/basket.ts'
import { LineList } from '../quick-order/line-list.tsx'
import { lineKey, linesOf, lookUp, missedLines, withoutLines } from '../quick-order/look-up.ts'
import type { ClaimWrites } from './claim-record.ts'
import classes from './supplier-claim.module.css'

const DEBOUNCE_MS = 400

/** Why an item cannot join the claim; null if it can. */
function whyNot(item: StockRow, claim: SupplierClaim, there: ReadonlySet<number>): string | null {
  if (there.has(item.id)) return 'in this claim already'
  if (item.supplier_id === null) return 'without a supplier'
  if (item.supplier_id !== claim.supplier_id) return `bought from ${item.supplier_name}`
  return isReturnable(item.status) ? null : item.status
}

/**
 * Sorts found items into those that can join the claim, and a line of text for each that cannot. `joined` are the pasted
 * lines of the first ones. One pasted line may mean several items.
 */
function sorted(rows: readonly QuickOrderRow[], claim: SupplierClaim, there: ReadonlySet<number>) {
  const joining: number[] = []
  const joined: string[] = []
  const refused: string[] = []
  for (const [line, found] of Map.groupBy(rows, (row) => row.line)) {
    const fit = found.filter((row) => whyNot(row, claim, there) === null)
    joining.push(...fit.map((row) => row.id))
    if (fit.length > 0) joined.push(line)
    else refused.push(`${line}: ${found.map((row) => `#${row.id} ${whyNot(row, claim, there)}`).join(', ')}`)
  }
  return { joining, joined, refused }
}

/** The pasted lines that have done their work once these lines have joined: they themselves, and repeated ones. */
function doneLines(joined: readonly string[], answer: QuickOrderAnswer | undefined): string[] {
  const { data = [], not_found = [], duplicates = [] } = answer ?? {}
  const looked = new Set([...data.map(({ line }) => line), ...not_found].map(lineKey))
  return [...joined, ...duplicates.filter((line) => !looked.has(lineKey(line)))]
}

const items = (n: number) => `${n.toLocaleString('en')} ${n === 1 ? 'item' : 'items'}`

type Props = { claim: SupplierClaim; writes: ClaimWrites; text: string; onText: Dispatch<SetStateAction<string>> }

/** Adds pasted or scanned items, or those of the basket, to a draft claim. */
export function AddItems({ claim, writes, text, onText }: Props) {
  const [reason, setReason] = useState<string>(CLAIM_REASONS[0])
  const [details, setDetails] = useState('')
  const [settled] = useDebouncedValue(text, DEBOUNCE_MS)
  const lines = useMemo(() => linesOf(settled), [settled])
  const found = useQuery(lookUp(lines))
  const answer = lines.length > 0 ? found.data : undefined
  const waiting = settled !== text || found.isPlaceholderData || (lines.length > 0 && found.isPending)
  const there = useMemo(() => new Set(claim.items.map((item) => item.id)), [claim.items])
  const { joining, joined, refused } = useMemo(() => sorted(answer?.data ?? [], claim, there), [answer, claim, there])
  const basket = useBasket()
  const fromBasket = useMemo(
    () => basket.items.filter((item) => whyNot(item, claim, there) === null).map((item) => item.id),
    [basket.items, claim, there],
  )

  const add = async (ids: readonly number[], done?: () => void) => {
    if (ids.length === 0) return
    const words = details.trim() ? `${reason}: ${details.trim()}` : reason
    if (await writes.write('add-items', { items: ids, reason: words })) done?.()
  }
  /** The lines that cannot be added stay in the field, and so do those that come while the others are added. */
  const addPasted = useWhenReady(!waiting && !writes.running, () => {
    const done = doneLines(joined, answer)
    void add(joining, () => onText((now) => withoutLines(now, done)))
  })

  return (
    <Panel data-screen-only>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          addPasted()
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
          event.preventDefault()
          addPasted()
        }}
      >
        <Stack gap="sm">
          <Textarea
            label="IMEIs or serial numbers"
            description="One on each line. Paste a list, or scan."
            rows={4}
            spellCheck={false}
            autoComplete="off"
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            value={text}
            onChange={(event) => onText(event.currentTarget.value)}
          />
          <div className={classes['reason']}>
            <Select
              label="Reason"
              data={[...CLAIM_REASONS]}
              value={reason}
              onChange={(value) => value && setReason(value)}
            />
            <TextField
              label="Details"
              autoComplete="off"
              maxLength={200}
              value={details}
              onChange={(event) => setDetails(event.currentTarget.value)}
            />
          </div>
          <Group gap="xs">
            <Button type="submit" variant="light" disabled={waiting || joining.length === 0 || writes.running}>
              {joining.length > 0 ? `Add ${items(joining.length)}` : 'Add items'}
            </Button>
            <Button
              variant="default"
              disabled={fromBasket.length === 0 || writes.running}
              onClick={() => void add(fromBasket)}
            >
              {fromBasket.length > 0
                ? `Add ${items(fromBasket.length)} from the basket`
                : 'No items to add from the basket'}
            </Button>
            <Text size="sm" c="dimmed" role="status">
              {said(lines.length > 0, waiting, answer, joining.length, refused.length)}
            </Text>
          </Group>
          {found.isError && lines.length > 0 && (
            <Text size="sm" c="red" role="alert">
              {errorMessage(found.error)}
            </Text>
          )}
          <LineList title="Cannot be added" lines={refused} />
          <LineList title="Not found" lines={missedLines(answer?.not_found ?? [])} />
        </Stack>
      </form>
    </Panel>
  )
}

function said(any: boolean, waiting: boolean, answer: QuickOrderAnswer | undefined, fit: number, refused: number) {
  if (!any) return ''
  if (waiting || !answer) return 'Looking…'
  const parts = [
    [fit, 'can be added'],
    [refused, 'cannot'],
    [answer.not_found.length, 'not found'],
    [answer.duplicates.length, 'twice'],
  ] as const
  return parts
    .filter(([n], place) => place === 0 || n > 0)
    .map(([n, what]) => `${n.toLocaleString('en')} ${what}`)
    .join(', ')
}
