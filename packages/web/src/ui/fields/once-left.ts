/**
 * Calls `tell` once the focus has left a field, and any press of the pointer has ended with its click. A message that
 * appears at once could move the button that a person is pressing, and the browser would give the click to nobody.
 */
export function onceLeft(field: Element, tell: () => void): void {
  const tellLater = () =>
    setTimeout(() => {
      if (document.activeElement !== field) tell()
    })
  const isPressed = document.querySelector(':active') !== null
  if (isPressed) document.addEventListener('pointerup', tellLater, { once: true })
  else tellLater()
}
