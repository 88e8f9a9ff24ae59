/** How many frames the focus waits at most for a section that unfolds: about a second. */
const FRAMES = 60

/**
 * Focuses a field. If its section is folded, it unfolds first, and the focus waits for its whole height, so that the
 * field scrolls into sight.
 */
export function focusInSection(field: HTMLElement): void {
  const section = field.closest('[role="region"]')
  const control = document.getElementById(section?.getAttribute('aria-labelledby') ?? '')
  if (control?.getAttribute('aria-expanded') === 'false') control.click()
  const focusOnceShown = (frames: number) => {
    const isWhole = !section || section.clientHeight >= section.scrollHeight
    if ((field.checkVisibility() && isWhole) || frames === 0) field.focus()
    else requestAnimationFrame(() => focusOnceShown(frames - 1))
  }
  focusOnceShown(FRAMES)
}
