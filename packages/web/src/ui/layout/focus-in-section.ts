/** How long the focus waits for a section that unfolds, at most: frames, about a second. */
const FRAMES = 60

/** Focuses a field, after unfolding its section to the whole height, so that the field comes into sight. */
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
