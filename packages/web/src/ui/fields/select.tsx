import {
  MultiSelect as MantineMultiSelect,
  Select as MantineSelect,
  type MultiSelectProps,
  type SelectProps,
} from '@mantine/core'
import { useMadeOnFocus } from './made-on-focus.ts'

/**
 * A choice of one, without search. SearchSelect uses Mantine's own select, because that one opens when it gets the
 * focus. Choosing the chosen option again does not clear it; only the button of a clearable select does.
 */
export function Select({ onFocus, ...props }: Omit<SelectProps, 'searchable' | 'comboboxProps' | 'allowDeselect'>) {
  const { made, make } = useMadeOnFocus()
  return (
    <MantineSelect
      {...props}
      allowDeselect={false}
      comboboxProps={{ keepMounted: made }}
      onFocus={(event) => {
        make()
        onFocus?.(event)
      }}
    />
  )
}

/** A choice of several. */
export function MultiSelect(props: Omit<MultiSelectProps, 'searchable' | 'comboboxProps' | 'onFocus'>) {
  const { made, make } = useMadeOnFocus()
  return <MantineMultiSelect {...props} comboboxProps={{ keepMounted: made }} onFocus={make} />
}
