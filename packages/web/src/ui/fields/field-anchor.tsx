import { type Ref, type RefObject, useImperativeHandle } from 'react'

type Props = { of: RefObject<HTMLElement | null>; ref?: Ref<HTMLElement> }

/**
 * Stands in the target of a dropdown, and makes a field that is already on screen that target. So the field can be
 * drawn without its dropdown, and is not drawn again when the dropdown is made.
 */
export function FieldAnchor({ of, ref }: Props) {
  useImperativeHandle(ref, () => of.current as HTMLElement)
  return null
}
