/** A selector of the fields into which people type text: no selects, no tick boxes, no read-only fields. */
export const TAKES_TEXT =
  'textarea:not([readonly]), [contenteditable]:not([contenteditable=false]), input:not(' +
  ['checkbox', 'radio', 'button', 'submit', 'reset', 'image', 'file', 'color', 'range']
    .map((type) => `[type=${type}]`)
    .join(', ') +
  ', [readonly])'

/**
 * Whether a modal dialog is open, which takes all keys. A dropdown such as the basket has the role of a dialog, but is
 * not modal.
 */
export const isModalOpen = () => document.querySelector('[role=dialog][aria-modal=true]') !== null
