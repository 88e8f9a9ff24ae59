import { lazy, type RefObject, Suspense } from 'react'
import { FocusBack } from '../../ui/layout/focus-back.tsx'
import type { Labelled } from './labelled.ts'

/** Fetched by the first who prints. */
const PrintDialog = lazy(() => import('./print-dialog.tsx'))

type Props = {
  of: Labelled
  /** Gets the focus afterwards: the pressed button, or the menu that it was in. */
  backTo: RefObject<HTMLElement | null>
  onClose: () => void
}

/** Asks how labels are to be printed, and downloads them. */
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
