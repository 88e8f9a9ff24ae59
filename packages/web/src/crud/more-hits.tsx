import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import type { Filter } from './area.ts'
import { type ListState, put, whichRows } from './list-state.ts'
import type { ListChange } from './use-list-state.ts'

type Props = { area: string; filter: Filter; state: ListState; onChange: ListChange }
type Answer = { data: { count: number; is_more: boolean } }

/** Stands behind the number of hits. It says how many more hits a filter hides, and its button shows them. */
export default function MoreHits({ area, filter: { name, hiding, hidden }, state, onChange }: Props) {
  const query = whichRows(state)
  const { data } = useQuery({
    queryKey: [area, hidden, query],
    queryFn: async ({ signal }) => {
      if (hidden !== 'find') return (await api.get<Answer>(hidden!, { query, signal })).data
      const all = { ...query, [name]: undefined, per_page: 1 }
      const [shown, found] = await Promise.all(
        [{ ...query, per_page: 1 }, all].map((query) => api.get<{ total: number }>(`${area}/find`, { query, signal })),
      )
      return { count: found!.total - shown!.total, is_more: false }
    },
  })
  if (!data?.count) return null
  return (
    <>
      {', '}
      <Anchor component="button" type="button" inherit underline="always" onClick={() => onChange(put(name, []))}>
        {data.count}
        {data.is_more && '+'} {hiding}
      </Anchor>
    </>
  )
}
