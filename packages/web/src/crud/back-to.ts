import { useNavigate, useRouter } from '@tanstack/react-router'
import { useCallback, useEffect, useState } from 'react'

/** The `state` of a link to a form. After saving there, the person returns to this path. */
export const backTo = (path: string) => ({ backTo: path }) as never

/**
 * Returns a function that goes back to the screen whose link led here. If no such screen is known, it goes to
 * `usually`, or nowhere if that is left out.
 */
export function useGoBack(): (usually?: string) => void {
  const navigate = useNavigate()
  const router = useRouter()
  return useCallback(
    (usually) => {
      const { backTo } = router.latestLocation.state as { backTo?: string }
      const to = backTo ?? usually
      if (to !== undefined) void navigate({ href: to })
    },
    [navigate, router],
  )
}

/**
 * Returns the function to call when the form of a stored record is saved. It goes back to the screen whose link led
 * here, if there is one, and only after the form is marked as saved, so that nobody is asked about unsaved changes.
 */
export function useGoBackWhenSaved(): () => void {
  const goBack = useGoBack()
  const [saves, setSaves] = useState(0)
  useEffect(() => {
    if (saves > 0) goBack()
  }, [saves, goBack])
  return () => setSaves((count) => count + 1)
}
