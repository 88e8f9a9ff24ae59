import { useMediaQuery, usePagination } from '@mantine/hooks'
import { PHONE } from '../layout/phone.ts'
import classes from './pages.module.css'

const ALL_UP_TO = 7
const BACK = 'M7.219 8l3.3 3.3-.943.943L5.333 8l4.243-4.243.943.943-3.3 3.3z'
const ON = 'M8.781 8l-3.3-3.3.943-.943L10.667 8l-4.243 4.243-.943-.943 3.3-3.3z'
const DOTS =
  'M2 8c0-.733.6-1.333 1.333-1.333.734 0 1.334.6 1.334 1.333s-.6 1.333-1.334 1.333C2.6 9.333 2 8.733 2 8zm9.333 0c0-.733.6-1.333 1.334-1.333C13.4 6.667 14 7.267 14 8s-.6 1.333-1.333 1.333c-.734 0-1.334-.6-1.334-1.333zM6.667 8c0-.733.6-1.333 1.333-1.333s1.333.6 1.333 1.333S8.733 9.333 8 9.333 6.667 8.733 6.667 8z'

type Props = {
  page: number
  pages: number
  onPage: (page: number) => void
  /** Called with the page whose button has the pointer or the focus, so that it can be loaded ahead. */
  onNear?: (page: number) => void
}

/** The buttons for pages: all numbers up to 7 pages, otherwise some of them with ellipses between. */
export function Pages({ page, pages, onPage, onNear }: Props) {
  const phone = useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false })
  const { range } = usePagination({ page, total: pages, siblings: phone && pages > ALL_UP_TO ? 0 : 1 })
  /** Plain buttons and not Mantine's, because a dozen of them are drawn with each page. */
  const button = (number: number, label: string) => {
    const near = () => onNear?.(number)
    return {
      type: 'button' as const,
      'aria-label': label,
      onClick: () => onPage(number),
      onPointerEnter: near,
      onFocus: near,
    }
  }
  const step = (number: number, label: string, path: string) => (
    <button {...button(number, label)} className={STEP} disabled={number < 1 || number > pages}>
      <svg viewBox="0 0 16 16" aria-hidden>
        <path d={path} />
      </svg>
    </button>
  )
  return (
    <div className={classes['numbers']}>
      {step(page - 1, 'Previous page', BACK)}
      {range.map((number, place) =>
        number === 'dots' ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: a button must keep the focus while its number changes
          <div key={place} className={classes['dots']}>
            <svg viewBox="0 0 16 16" aria-hidden>
              <path d={DOTS} />
            </svg>
          </div>
        ) : (
          <button
            {...button(number, `Page ${number}`)}
            // biome-ignore lint/suspicious/noArrayIndexKey: a button must keep the focus while its number changes
            key={place}
            className={NUMBER}
            aria-current={number === page ? 'page' : undefined}
          >
            {number}
          </button>
        ),
      )}
      {step(page + 1, 'Next page', ON)}
    </div>
  )
}

const STEP = `mantine-focus-auto mantine-active ${classes['page']}`
const NUMBER = `${STEP} ${classes['number']}`
