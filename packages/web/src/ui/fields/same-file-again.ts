import type { MouseEvent } from 'react'

/**
 * For the click on a file input: without it the browser keeps quiet when the same file is chosen again, as after a
 * failure.
 */
export function sameFileAgain(event: MouseEvent<HTMLInputElement>): void {
  event.currentTarget.value = ''
}
