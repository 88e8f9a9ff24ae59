import { Button, CloseButton, NativeSelect, Popover, Switch, Title } from '@mantine/core'
import { type KeyboardEvent, type RefObject, Suspense, useEffect, useState } from 'react'
import { lazyPart } from '../api/lazy-part.ts'
import { FieldAnchor } from '../ui/fields/field-anchor.tsx'
import { RemoteSelect } from '../ui/fields/remote-select.tsx'
import { MultiSelect, Select } from '../ui/fields/select.tsx'
import { AmountFilter } from './amount-filter.tsx'
import type { Filter } from './area.ts'
import { choose, type ListState, put, type Sorting, takesOne } from './list-state.ts'
import classes from './more-filters.module.css'
import { RecordChips } from './record-chips.tsx'
import type { ListChange } from './use-list-state.ts'

const DateField = lazyPart(async () => ({ default: (await import('../ui/fields/date-field.tsx')).DateField }))

type Choices = { filters: readonly Filter[]; chosen: ListState['chosen']; onChange: ListChange }
type Props = Choices & {
  name: string
  sorting?: Sorting | undefined
  onClear?: (() => void) | undefined
  opened: boolean
  onClose: () => void
  button: RefObject<HTMLButtonElement | null>
}

/** The dropdown with the filters that few people need, on a phone with all filters. A choice takes effect at once. */
export default function MoreFilters({ name, sorting, onClear, opened, onClose, button, ...choices }: Props) {
  // Mantine's Popover remembers the focused element when it opens. So it is first drawn closed, and then opened.
  const [shown, setShown] = useState(false)
  useEffect(() => setShown(opened), [opened])
  useEffect(() => {
    if (!opened) return
    const away = ({ target }: Event) => {
      if (!(target instanceof Element) || button.current?.contains(target)) return
      // The dropdown of a select is drawn in #layers. A click there is not a click outside.
      if (!target.closest('#layers')) onClose()
    }
    document.addEventListener('pointerdown', away)
    return () => document.removeEventListener('pointerdown', away)
  }, [opened, onClose, button])
  // If a select in here is open, Escape closes only the select.
  const closeOnEscape = ({ key, target, currentTarget }: KeyboardEvent) => {
    if (key !== 'Escape' || !(target instanceof Element) || !currentTarget.contains(target)) return
    if (target.ariaExpanded !== 'true') onClose()
  }

  return (
    <Popover
      opened={shown}
      position="bottom-start"
      // The dropdown stays under its button and uses the height that is left there.
      middlewares={{ shift: { padding: 8 }, size: { padding: 8 } }}
      width="min(600px, calc(100vw - 16px))"
      trapFocus
      returnFocus
      withRoles={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Popover.Target>
        <FieldAnchor of={button} />
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={name} className={classes['menu'] ?? ''} onKeyDown={closeOnEscape}>
        <div className={classes['head']}>
          <Title order={2} size="h5" tabIndex={-1} data-autofocus className={classes['title'] ?? ''}>
            {name}
          </Title>
          {onClear && (
            <Button variant="subtle" color="gray" className={classes['clear'] ?? ''} onClick={onClear}>
              Clear
            </Button>
          )}
          <CloseButton aria-label="Close" onClick={onClose} />
        </div>
        <div className={classes['fields']}>
          {sorting && (
            <NativeSelect
              label="Sort by"
              value={sorting.order}
              data={sorting.orders}
              onChange={(event) => choices.onChange({ order: event.currentTarget.value })}
            />
          )}
          {choices.filters.map((filter) => (
            <FilterField
              key={filter.name}
              filter={filter}
              chosen={choices.chosen[filter.name] ?? []}
              onChange={choices.onChange}
            />
          ))}
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}

type FieldProps = { filter: Filter; chosen: readonly string[]; onChange: ListChange }

function FilterField({ filter, chosen, onChange }: FieldProps) {
  const { name, label, options, of, isDay, isAmount } = filter
  const [only, second] = options
  const [value = null] = chosen
  const change = (values: string[]) => onChange(choose(name, chosen, values))
  const changeTo = (wanted: string | null) => {
    if (wanted !== value) onChange(put(name, wanted === null ? [] : [wanted]))
  }
  if (of)
    return (
      <div>
        <RemoteSelect
          area={of}
          label={label}
          placeholder="All"
          onChange={(id) => id !== null && !chosen.includes(String(id)) && change([...chosen, String(id)])}
          optionDisabled={({ id }) => chosen.includes(String(id))}
        />
        {chosen.length > 0 && (
          <div className={classes['chips']}>
            <RecordChips area={of} ids={chosen} onChange={change} />
          </div>
        )}
      </div>
    )
  if (isAmount) return <AmountFilter label={label} chosen={value} onChange={changeTo} />
  if (isDay)
    return (
      <Suspense fallback={<div className={classes['coming']} />}>
        <DateField label={label} value={value} onChange={changeTo} />
      </Suspense>
    )
  if (only && !second)
    return (
      <Switch
        className={classes['switch'] ?? ''}
        label={only.label}
        checked={value !== null}
        onChange={(event) => changeTo(event.currentTarget.checked ? only.value : null)}
      />
    )
  if (takesOne(filter))
    return <Select label={label} placeholder="All" data={options} value={value} onChange={changeTo} clearable />
  return (
    <MultiSelect
      label={label}
      placeholder={chosen.length ? '' : 'All'}
      data={options}
      value={[...chosen]}
      onChange={change}
    />
  )
}
