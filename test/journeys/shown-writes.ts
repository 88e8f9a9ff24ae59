/** The marks of a screen that waits for the server: a spinner in a button, or a form, a field or rows that are busy. */
const MARKS = '[data-loading], :is(form, button, input)[aria-busy="true"], [data-dimmed]'

/** Writes and look-ups without a mark, and the reason. */
const WITHOUT_MARK = [
  // Look-ups while somebody types, scans or chooses.
  'POST /api/(sale/(tax-facts|invoice-lacks)|stock/(quick-order-find|scan-find|bulk/preview)|return/look-up)',
  // The rows go to the server with the next read; the screen shows them at once.
  'PUT /api/user/[0-9]+/basket',
  // Scans wait in a queue of their own, which is shown if it is long.
  'POST /api/stock/check/[0-9]+/scan',
  // The button of a toast, which is gone when it is pressed, and a question before the item is taken out.
  'POST /api/(stock/bulk/[0-9]+/undo|batch/add-items|batch/[0-9]+/remove-item/[0-9]+)',
  // A view that comes back by the button of a toast, or that moves by one place.
  'POST /api/view/create|PATCH /api/view/[0-9]+/edit',
  // The row is gone at once, and comes back if the server refuses.
  'DELETE /api/[a-z-]+/[0-9]+/delete',
  // The rows are read anew, and say so themselves.
  'PATCH /api/stock/import/preview/[0-9]+',
  // A picture that was chosen in a window of the browser.
  'POST /api/user/[0-9]+/avatar',
  // The button shows how much of the file is sent.
  'POST /api/stock/import/(preview|csv)',
]

/** How long a screen may take on a busy machine. It costs time only if there is no mark. */
const PATIENCE_MS = 20_000

/**
 * A script for a page, which reports each write that shows no mark before its answer is there: people would press again.
 * It reports to the console, as an error.
 */
export const SHOWN_WRITES = `{
  const send = window.fetch
  const later = window.setTimeout
  const free = ${JSON.stringify(WITHOUT_MARK)}.map((pattern) => RegExp('^(?:' + pattern + ')$'))
  window.fetch = async (url, init = {}) => {
    const call = (init.method ?? 'GET') + ' ' + String(url).split('?')[0]
    if (call.startsWith('GET') || free.some((pattern) => pattern.test(call))) return send(url, init)
    let isShown = false
    let left = Infinity
    const shown = new Promise((resolve) => {
      const look = () => {
        isShown ||= document.querySelector(${JSON.stringify(MARKS)}) !== null
        if (isShown || left <= 0) return resolve()
        left -= 10
        later(look, 10)
      }
      look()
    })
    try {
      return await send(url, init)
    } finally {
      left = ${PATIENCE_MS}
      await shown
      if (!isShown) console.error('no mark while this was on its way: ' + call)
    }
  }
}`
