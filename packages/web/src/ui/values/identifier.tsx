import { showToast } from '../../api/toast.ts'
import classes from './text.module.css'

/**
 * An IMEI or serial number. Its last six characters stand out. A click copies all of it. `short` leaves out the middle
 * of a long one; the tooltip shows all of it.
 */
export function Identifier({ value, short = false }: { value: string; short?: boolean }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value)
      showToast({ type: 'success', message: `Copied ${value}` })
    } catch {
      showToast({ type: 'warning', message: 'The browser does not allow copying here.' })
    }
  }
  return (
    <button
      type="button"
      className={classes['identifier']}
      title={short ? `${value} (click to copy)` : 'Click to copy'}
      onClick={(event) => {
        event.preventDefault()
        event.stopPropagation()
        void copy()
      }}
    >
      {short ? `${value.slice(0, 6)}…` : value.slice(0, -6)}
      <b>{value.slice(-6)}</b>
    </button>
  )
}
