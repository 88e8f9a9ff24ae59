import { type RefObject, useEffect, useState } from 'react'

/** Whether a field shows text that is no valid price or date. It is not among the form's values, but it is unsaved, too. */
export function useUnreadable(form: RefObject<HTMLFormElement | null>): boolean {
  const [unreadable, setUnreadable] = useState(false)
  useEffect(() => {
    const fields = [...(form.current?.elements ?? [])] as HTMLInputElement[]
    setUnreadable(fields.some((field) => field.validity.customError))
  })
  return unreadable
}
