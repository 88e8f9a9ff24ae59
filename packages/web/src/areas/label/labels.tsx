import { type RefObject, Suspense } from 'react'
import { lazyPart } from '../../api/lazy-part.ts'
import { FocusBack } from '../../ui/layout/focus-back.tsx'
import type { Labelled } from './labelled.ts'

/** Loaded when somebody prints labels for the first time. */
const PrintDialog = lazyPart(() => import('./print-dialog.tsx'))

type Props = {
  of: Labelled
  /** The element that gets the focus when the dialog closes: the pressed button, or the menu that it was in. */
  backTo: RefObject<HTMLElement | null>
  onClose: () => void
}

/** The dialog that asks how labels are printed, and downloads them. */
export function PrintLabels({ of, backTo, onClose }: Props) {
  return (
    <>
      <FocusBack to={backTo} />
      <Suspense>
        <PrintDialog of={of} onClose={onClose} />
      </Suspense>
    </>
  )
}
