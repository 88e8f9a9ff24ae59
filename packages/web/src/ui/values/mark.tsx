/** The logo of Backstock: a stack of two devices, the front one with its speaker slit. */
export function Mark({ size = 28 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" fill="var(--mantine-color-accent-7)" />
      <path d={MARK_BACK} fill="#fff" fillOpacity="0.45" />
      <path d={MARK_FRONT} fill="#fff" fillRule="evenodd" />
    </svg>
  )
}

const MARK_BACK = 'M17.5 6h5A2.5 2.5 0 0 1 25 8.5v13a2.5 2.5 0 0 1-2.5 2.5H21V11a3 3 0 0 0-3-3h-3a2.5 2.5 0 0 1 2.5-2z'
const MARK_FRONT =
  'M9.5 9.5h7A2.5 2.5 0 0 1 19 12v11.5a2.5 2.5 0 0 1-2.5 2.5h-7A2.5 2.5 0 0 1 7 23.5V12a2.5 2.5 0 0 1 2.5-2.5zM11 12.2a.8.8 0 0 0 0 1.6h4a.8.8 0 0 0 0-1.6z'
