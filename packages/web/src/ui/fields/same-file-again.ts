import type { MouseEvent } from 'react'

/**
 * Use it as the `onClick` of a file input. Without it the browser sends no `change` if somebody chooses the same file
 * again, for example after a failure.
 */
export function sameFileAgain(event: MouseEvent<HTMLInputElement>): void {
  event.currentTarget.value = ''
}
