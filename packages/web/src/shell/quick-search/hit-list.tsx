import { Link } from '@tanstack/react-router'
import { Fragment, type ReactNode, useEffect } from 'react'
import { StatusBadge } from '../../ui/values/status-badge.tsx'
import type { Badge, Group, Hit } from './kinds.ts'
import classes from './quick-search.module.css'

export const optionId = (list: string, index: number) => `${list}-${index}`

type Props = { id: string; groups: Group[]; active: number; text: string; onOpened: () => void }

/**
 * The hits as a listbox of links. The focus stays in the search field, whose `aria-activedescendant` names the active
 * hit.
 */
export function HitList({ id, groups, active, text, onOpened }: Props) {
  useEffect(() => {
    document.getElementById(optionId(id, active))?.scrollIntoView({ block: 'nearest' })
  }, [id, active])
  let index = 0
  return (
    <div id={id} role="listbox" aria-label="Results">
      {groups.map((group) => (
        // biome-ignore lint/a11y/useSemanticElements: a group of options is not a fieldset.
        <div key={group.title} role="group" aria-label={group.title}>
          <div className={classes['title']} aria-hidden>
            {group.title}
          </div>
          {group.hits.map((hit) => {
            const own = index++
            return (
              <Link
                key={hit.to}
                id={optionId(id, own)}
                to={hit.to}
                role="option"
                aria-selected={own === active}
                tabIndex={-1}
                className={classes['hit']}
                onClick={() => {
                  hit.onOpen?.()
                  onOpened()
                }}
              >
                <HitLine hit={hit} text={text} />
              </Link>
            )
          })}
        </div>
      ))}
    </div>
  )
}

function HitLine({ hit, text }: { hit: Hit; text: string }) {
  return (
    <>
      <span className={classes['name']}>{marked(hit.title, text)}</span>
      {hit.badges.map((badge) => (
        <span key={badge.label} className={classes['badge']}>
          <span className={classes['label']}>{badge.label}</span> {badgeValue(badge, text)}
        </span>
      ))}
    </>
  )
}

const badgeValue = (badge: Badge, text: string) =>
  'status' in badge ? <StatusBadge status={badge.status} /> : <span>{marked(badge.value, text)}</span>

/** The text with the searched part marked. */
function marked(value: string, text: string): ReactNode {
  const start = text === '' ? -1 : value.toLowerCase().indexOf(text.toLowerCase())
  if (start < 0) return value
  const end = start + text.length
  return (
    <Fragment>
      {value.slice(0, start)}
      <mark className={classes['mark']}>{value.slice(start, end)}</mark>
      {value.slice(end)}
    </Fragment>
  )
}
