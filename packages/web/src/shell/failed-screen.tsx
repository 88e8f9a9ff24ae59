import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { ErrorState } from '../ui/feedback/error-state.tsx'

/** A screen that could not be started: no session could be read, or its code could not be fetched. */
export function FailedScreen({ error }: ErrorComponentProps) {
  const router = useRouter()
  return <ErrorState error={error} retry={() => void router.invalidate()} />
}
