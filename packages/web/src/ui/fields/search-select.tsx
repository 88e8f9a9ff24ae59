import { type OptionsFilter, Select, type SelectProps } from '@mantine/core'
import { bestFirst } from './best-first.ts'

const filter: OptionsFilter = ({ options, search }) =>
  bestFirst(
    options.flatMap((option) => ('group' in option ? option.items : option)),
    search,
    ({ label }) => label,
  )

/**
 * A select that is searched by typing: Enter takes the first match, and options that begin with the typed text come
 * first. Choosing the chosen option again does not clear it; only the button of a clearable select does.
 */
export function SearchSelect(props: Omit<SelectProps, 'allowDeselect'>) {
  return (
    <Select
      searchable
      selectFirstOptionOnChange
      allowDeselect={false}
      nothingFoundMessage="No results found"
      filter={filter}
      {...props}
    />
  )
}
