import { Pagination } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { PHONE } from '../phone.ts'
import classes from './pages.module.css'

const ALL_UP_TO = 7
const CONTROLS = { first: 'First page', previous: 'Previous page', next: 'Next page', last: 'Last page' }

type Props = {
  page: number
  pages: number
  onPage: (page: number) => void
  /** Told which page may be wanted next: its button has the pointer or the focus. */
  onNear?: (page: number) => void
}

/** The numbers of the pages: all of them up to 7, otherwise a window with ellipses. */
export function Pages({ page, pages, onPage, onNear }: Props) {
  const phone = useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false })
  const near = (number: number) => {
    const tell = () => onNear?.(number)
    return { onPointerEnter: tell, onFocus: tell }
  }
  const leadsTo = { first: 1, previous: Math.max(1, page - 1), next: Math.min(pages, page + 1), last: pages }
  return (
    <Pagination
      className={classes['numbers'] ?? ''}
      size="sm"
      total={pages}
      value={page}
      siblings={phone && pages > ALL_UP_TO ? 0 : 1}
      onChange={onPage}
      getItemProps={(number) => ({ 'aria-label': `Page ${number}`, ...near(number) })}
      getControlProps={(control) => ({ 'aria-label': CONTROLS[control], ...near(leadsTo[control]) })}
    />
  )
}
