import { type Ref, type RefObject, useImperativeHandle } from 'react'

type Props = { of: RefObject<HTMLElement | null>; ref?: Ref<HTMLElement> }

/**
 * The anchor of a dropdown, inside of its target: a field that is there already. So the field is drawn without its
 * dropdown, and stays the same when that is made.
 */
export function FieldAnchor({ of, ref }: Props) {
  useImperativeHandle(ref, () => of.current!)
  return null
}
