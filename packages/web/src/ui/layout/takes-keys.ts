/** The fields into which people type text: no select, no box to tick, no field that can only be read. */
export const TAKES_TEXT =
  'textarea:not([readonly]), [contenteditable]:not([contenteditable=false]), input:not(' +
  ['checkbox', 'radio', 'button', 'submit', 'reset', 'image', 'file', 'color', 'range']
    .map((type) => `[type=${type}]`)
    .join(', ') +
  ', [readonly])'

/** Whether a dialog is open and takes all keys. A dropdown, such as the basket, is a dialog but not modal. */
export const isModalOpen = () => document.querySelector('[role=dialog][aria-modal=true]') !== null
