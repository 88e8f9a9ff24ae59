import { Button, Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Filter, ListArea } from './area.ts'
import { HiddenHits } from './hidden-hits.tsx'
import type { ListState } from './list-state.ts'
import type { ListChange } from './use-list-state.ts'

type Props = {
  area: Pick<ListArea<never>, 'area' | 'empty'>
  filters: readonly Filter[]
  state: ListState
  mayCreate: boolean
  onChange: ListChange
}

/**
 * What an empty list shows: what belongs in it and the first step; or, where a filter hides its rows, the way to them.
 */
export default function EmptyList({ area, filters, state, mayCreate, onChange }: Props) {
  const chosen = filters.filter(({ name }) => state.chosen[name]?.length)
  const isNarrowed =
    state.search !== '' || chosen.some(({ name, default: usual = [] }) => String(state.chosen[name]) !== String(usual))
  const steps = area.empty?.steps ?? (mayCreate ? [{ text: 'Add new', to: `/admin/${area.area}/create` }] : [])
  const showAll = () => onChange({ chosen: Object.fromEntries(filters.map(({ name }) => [name, []])) })
  return (
    <>
      <Text size="sm" mt={4}>
        {state.search ? `Nothing here matches "${state.search}".` : !isNarrowed && area.empty?.text}
      </Text>
      <Group justify="center" gap="xs" mt="md">
        <HiddenHits area={area.area} filters={filters} state={state} onChange={onChange} />
        {state.search && (
          <Button variant="default" onClick={() => onChange({ search: '' })}>
            Clear the search
          </Button>
        )}
        {chosen.some(({ hiding }) => !hiding || !state.search) && (
          <Button variant="default" onClick={showAll}>
            Show all
          </Button>
        )}
        {!isNarrowed &&
          steps.map(({ text, to }, n) => (
            <Button key={to} component={Link} to={to} variant={n === 0 ? 'filled' : 'default'}>
              {text}
            </Button>
          ))}
      </Group>
    </>
  )
}
