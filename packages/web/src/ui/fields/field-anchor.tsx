import { type Ref, type RefObject, useImperativeHandle } from 'react'

type Props = { of: RefObject<HTMLElement | null>; ref?: Ref<HTMLElement> }

/**
 * Goes into the target of a dropdown and hands it a field that is on screen already. So the field is drawn without its
 * dropdown, and is not drawn anew when the dropdown is made.
 */
export function FieldAnchor({ of, ref }: Props) {
  useImperativeHandle(ref, () => of.current!)
  return null
}
