import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { find } from '../api/reads.ts'
import type { Filter } from './area.ts'
import { type ListState, listQuery } from './list-state.ts'
import type { ListChange } from './use-list-state.ts'

type Props = { area: string; filters: readonly Filter[]; state: ListState; onChange: ListChange }

/** Stands under a search without hits. It says how many hits a filter hides, and its button shows them. */
export function HiddenHits({ area, filters, state, onChange }: Props) {
  const filter = filters.find(({ name, hiding }) => hiding && state.chosen[name]?.length)
  return filter && state.search ? <Hidden {...{ area, filter, state, onChange }} /> : null
}

function Hidden({ area, filter, state, onChange }: Omit<Props, 'filters'> & { filter: Filter }) {
  const { name, hiding } = filter
  const whole = { ...state, page: 1, perPage: 1, chosen: { ...state.chosen, [name]: [] } }
  const { data, isPlaceholderData } = useQuery(find(area, listQuery(whole)))
  if (!data?.total || isPlaceholderData) return null
  return (
    <Button onClick={() => onChange((now) => ({ chosen: { ...now.chosen, [name]: [] } }))}>
      {data.total.toLocaleString('en')} {hiding}
    </Button>
  )
}
