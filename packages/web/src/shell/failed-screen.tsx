import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { ErrorState } from '../ui/feedback/error-state.tsx'

/** The page for a screen that could not start, because the session or the screen's code could not be loaded. */
export function FailedScreen({ error }: ErrorComponentProps) {
  const router = useRouter()
  return <ErrorState error={error} retry={() => void router.invalidate()} />
}
