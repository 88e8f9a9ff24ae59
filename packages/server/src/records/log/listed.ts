const SHOWN = 20

/** 'item #5', 'items #5, #6 and 3 more'. */
export function listed(ids: readonly number[]): string {
  const named = ids
    .slice(0, SHOWN)
    .map((id) => `#${id}`)
    .join(', ')
  const more = ids.length > SHOWN ? ` and ${ids.length - SHOWN} more` : ''
  return `${ids.length === 1 ? 'item' : 'items'} ${named}${more}`
}
