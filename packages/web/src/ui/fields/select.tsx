import {
  MultiSelect as MantineMultiSelect,
  Select as MantineSelect,
  type MultiSelectProps,
  type SelectProps,
} from '@mantine/core'
import { useMadeOnFocus } from './made-on-focus.ts'

/**
 * A choice of one. A select that is searched by typing opens with the focus, so it is Mantine's own: see SearchSelect.
 * Choosing the chosen option keeps it; only the button of a clearable select clears.
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
