import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import type { Filter } from './area.ts'
import { type ListState, put, whichRows } from './list-state.ts'
import type { ListChange } from './use-list-state.ts'

/** `counts` is the filter's route that counts the hidden hits. */
type Props = { area: string; filter: Filter; counts: string; state: ListState; onChange: ListChange }
type Answer = { data: { count: number; is_more: boolean } }

/** Stands behind the number of hits. It says how many more hits a filter hides, and its button shows them. */
export default function MoreHits({ area, filter: { name, hiding }, counts, state, onChange }: Props) {
  const query = whichRows(state)
  const { data } = useQuery({
    queryKey: [area, counts, query],
    queryFn: async ({ signal }) => {
      if (counts !== 'find') return (await api.get<Answer>(counts, { query, signal })).data
      const total = async (which: typeof query) =>
        (await api.get<{ total: number }>(`${area}/find`, { query: { ...which, per_page: 1 }, signal })).total
      const [shown, found] = await Promise.all([total(query), total({ ...query, [name]: undefined })])
      return { count: found - shown, is_more: false }
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
