import type { WriteAnswer } from '@backstock/contract/answer.ts'
import type { FurtherColumn } from '@backstock/contract/further-column.ts'
import type { TakenOver, TakeOverPlan } from '@backstock/contract/further-take-over.ts'
import { MAX_MANY } from '@backstock/contract/stock-status.ts'
import { TAKE_OVER_FIELDS, TAKE_OVER_NAMES, type TakeOverField } from '@backstock/contract/take-over-fields.ts'
import { Button, Group, List, Modal, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api/client.ts'
import { ApiError } from '../api/error.ts'
import { showToast } from '../api/toast.ts'
import { ErrorState } from '../ui/feedback/error-state.tsx'
import { Select } from '../ui/fields/select.tsx'
import { readAgain, undoBulk } from './bulk/bulk.ts'

const FIELDS = TAKE_OVER_FIELDS.map((value) => ({ value, label: TAKE_OVER_NAMES[value] }))

/** The field that a column's values are most likely for, judged by the column's name. */
function likelyField(name: string): TakeOverField {
  const text = name.toLowerCase()
  if (text.includes('batt')) return 'battery_health'
  if (/function|working|test/.test(text)) return 'functional'
  return /loc|shelf|bin|place/.test(text) ? 'location' : 'grade'
}

const items = (n: number) => `${n.toLocaleString('en')} ${n === 1 ? 'item' : 'items'}`

type Props = { column: FurtherColumn; onClose: () => void }

/** Copies the values of a further column into a field of the items, in one bulk edit that can be undone. */
export function TakeOverDialog({ column, onClose }: Props) {
  const [field, setField] = useState(() => likelyField(column.name))
  const [running, setRunning] = useState(false)
  const path = `further-column/${column.id}/take-over`
  const plan = useQuery({
    queryKey: ['stock', 'take-over', column.id, field],
    queryFn: async ({ signal }) => (await api.get<{ data: TakeOverPlan }>(path, { signal, query: { field } })).data,
    retry: false,
  })
  const take = async () => {
    setRunning(true)
    try {
      const { message, data } = await api.post<WriteAnswer<TakenOver>>(path, {
        body: { field },
        silent: true,
        tellsTrouble: true,
      })
      showToast({
        type: 'success',
        message,
        action: { text: 'Undo', run: () => void undoBulk(data.bulk_id) },
        about: path,
      })
      await readAgain()
      if (data.left <= 0) onClose()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      showToast({ type: 'error', message: error.message })
    } finally {
      setRunning(false)
    }
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={`Copy '${column.name}' into a field`}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack gap="sm">
        <Select
          label="Into the field"
          data={FIELDS}
          value={field}
          onChange={(chosen) => chosen && setField(chosen as TakeOverField)}
        />
        {plan.data ? (
          <PlanText plan={plan.data} />
        ) : plan.isError ? (
          <ErrorState error={plan.error} retry={() => void plan.refetch()} />
        ) : (
          <Skeleton height={60} />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button loading={running} disabled={!plan.data?.fits} onClick={() => void take()}>
            {plan.data?.fits ? `Copy into ${items(Math.min(plan.data.fits, MAX_MANY))}` : 'Copy'}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

function PlanText({ plan: { field, fits, own, gone, wrong, values } }: { plan: TakeOverPlan }) {
  const name = TAKE_OVER_NAMES[field]
  return (
    <div>
      <Text size="sm">
        {fits === 0
          ? 'No item gets a value.'
          : `${items(fits)} without ${name} ${fits === 1 ? 'gets' : 'get'} a value.`}
        {own > 0 && ` ${items(own)} ${own === 1 ? 'has' : 'have'} one already, which stays.`}
        {gone > 0 &&
          ` ${items(gone)} ${gone === 1 ? 'is' : 'are'} no longer here, and ${gone === 1 ? 'gets' : 'get'} no ${name}.`}
        {fits > MAX_MANY && ` At most ${items(MAX_MANY)} at once: copy again for the others.`}
      </Text>
      {wrong > 0 && (
        <>
          <Text size="sm" mt="xs">
            {items(wrong)} {wrong === 1 ? 'has' : 'have'} a value that {name} does not take:
          </Text>
          <List size="sm" mt={4}>
            {values.map(({ value, items: n, reason }) => (
              <List.Item key={value} style={{ overflowWrap: 'anywhere' }}>
                {`'${value}' (${items(n)}): ${reason}`}
              </List.Item>
            ))}
          </List>
        </>
      )}
      <Text size="sm" c="dimmed" mt="xs">
        The further column keeps its values. You can undo this for 30 days.
      </Text>
    </div>
  )
}
