import { type RefObject, useEffect, useRef } from 'react'

type Form = RefObject<HTMLFormElement | null>

/** Focuses the first field of a new record. A dialog around the form focuses the element with this attribute. */
export function useFirstFieldFocus(form: Form, isNew: boolean): void {
  useEffect(() => {
    const first = isNew ? form.current?.querySelector<HTMLElement>('fieldset input:not([readonly])') : null
    first?.setAttribute('data-autofocus', '')
    first?.focus()
  }, [form, isNew])
}

/** If the alert disappears while a button in it has the focus, the form gets the focus. */
export function useFocusAfterTrouble(form: Form, hasTrouble: boolean): void {
  const had = useRef(false)
  useEffect(() => {
    if (had.current && !hasTrouble && document.activeElement === document.body) {
      const find = (selector: string) => form.current?.querySelector<HTMLElement>(selector)
      const next = find('[type="submit"]:enabled') ?? find('fieldset :is(input, textarea):enabled')
      next?.focus()
    }
    had.current = hasTrouble
  }, [form, hasTrouble])
}
