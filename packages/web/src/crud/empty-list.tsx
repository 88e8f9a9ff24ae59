import { Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { find } from '../api/reads.ts'
import type { Filter, ListArea } from './area.ts'
import { HiddenHits } from './hidden-hits.tsx'
import { type ListState, listQuery } from './list-state.ts'
import type { ListChange } from './use-list-state.ts'

type Props = {
  area: Pick<ListArea<never>, 'area' | 'empty'>
  filters: readonly Filter[]
  state: ListState
  mayCreate: boolean
  onChange: ListChange
}

/**
 * The content of an empty list: what belongs in it, and links to begin with. If filters or a search hide rows, it says
 * how many, and links to them.
 */
export default function EmptyList({ area, filters, state, mayCreate, onChange }: Props) {
  const chosen = filters.filter(({ name }) => state.chosen[name]?.length)
  const cleared = Object.fromEntries(filters.map(({ name }) => [name, []]))
  const whole = { ...state, page: 1, perPage: 1, search: '', chosen: cleared }
  const { data, isPlaceholderData, isError } = useQuery({
    ...find(area.area, listQuery(whole)),
    enabled: chosen.length > 0 || state.search !== '',
  })
  const isFiltered = chosen.length > 0 || state.search !== ''
  const isKnown = !isFiltered || isError || (data !== undefined && !isPlaceholderData)
  if (!isKnown) return null
  const hidden = isFiltered ? (data?.total ?? 0) : 0
  // A person who has changed no filter may be new here, so the text is shown even if the default filter hides rows.
  const isUsual = chosen.every(({ name, default: usual = [] }) => String(state.chosen[name]) === String(usual))
  const teaches = !state.search && (hidden === 0 || isUsual)
  const steps = area.empty?.steps ?? (mayCreate ? [{ text: 'Add new', to: `/admin/${area.area}/create` }] : [])
  return (
    <>
      <Text size="sm" mt={4}>
        {state.search ? `Nothing here matches "${state.search}".` : teaches && area.empty?.text}
      </Text>
      {!state.search && hidden > 0 && (
        <Text size="sm" mt={4}>
          {hiddenBy(hidden, chosen)}
        </Text>
      )}
      {teaches && area.empty?.Also && <area.empty.Also />}
      <Group justify="center" gap="xs" mt="md">
        <HiddenHits area={area.area} filters={filters} state={state} onChange={onChange} />
        {state.search && (
          <Button variant="default" onClick={() => onChange({ search: '' })}>
            Clear the search
          </Button>
        )}
        {chosen.some(({ hiding }) => !hiding || !state.search) && hidden > 0 && (
          <Button variant="default" onClick={() => onChange({ chosen: cleared })}>
            Show all
          </Button>
        )}
        {teaches &&
          steps.map(({ text, to }, n) => (
            <Button key={to} component={Link} to={to} variant={n === 0 ? 'filled' : 'default'}>
              {text}
            </Button>
          ))}
      </Group>
    </>
  )
}

const hiddenBy = (hidden: number, chosen: readonly Filter[]) => {
  const [first] = chosen
  const by = chosen.length === 1 && first ? `the filter ${first.label}` : 'the filters'
  return `${hidden.toLocaleString('en')} ${hidden === 1 ? 'entry is' : 'entries are'} hidden by ${by}.`
}
