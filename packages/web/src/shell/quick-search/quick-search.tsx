import { CloseButton, Loader, Modal, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { PHONE } from '../../ui/layout/phone.ts'
import type { EarlyKeys } from './early-field.tsx'
import { HitList, optionId } from './hit-list.tsx'
import classes from './quick-search.module.css'
import { TAGS, useQuickSearch } from './use-quick-search.ts'

type Props = {
  opened: boolean
  onClose: () => void
  /** Returns the keys that were typed before the search field had the focus. */
  takeEarly: () => EarlyKeys | undefined
}

/** The dialog that finds records and pages. Arrow keys move, Enter opens a hit, Escape closes the dialog. */
export default function QuickSearch({ opened, onClose, takeEarly }: Props) {
  const phone = useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false }) ?? false
  return (
    <Modal.Root
      opened={opened}
      onClose={onClose}
      returnFocus={false}
      zIndex={1055}
      centered={false}
      yOffset="9dvh"
      size={760}
      fullScreen={phone}
      transitionProps={{ duration: 120 }}
    >
      <Modal.Overlay />
      <Modal.Content aria-label="Quick search" radius={phone ? 0 : 'md'}>
        <div className={classes['content']}>
          <Search onClose={onClose} takeEarly={takeEarly} />
        </div>
      </Modal.Content>
    </Modal.Root>
  )
}

function Search({ onClose, takeEarly }: Omit<Props, 'opened'>) {
  const list = useId()
  const search = useQuickSearch()
  const { text, groups, settled, error } = search
  const typed = text.trim()
  const hits = groups.flatMap((group) => group.hits)
  const [moved, setMoved] = useState<number | null>(null)
  // While nothing is typed, no hit is active until somebody presses an arrow key. Otherwise the first hit is.
  const active = Math.min(moved ?? (typed === '' ? -1 : 0), hits.length - 1)
  const openWhenFound = useRef(false)

  const open = (index: number) => document.getElementById(optionId(list, index))?.click()

  // A scanner sends Enter before the hits have arrived. If there is only one hit, it opens when it arrives.
  useEffect(() => {
    if (!settled || !openWhenFound.current) return
    openWhenFound.current = false
    if (hits.length === 1) document.getElementById(optionId(list, 0))?.click()
  }, [settled, hits.length, list])

  const onKeyDown = (event: KeyboardEvent) => {
    search.onKey(event)
    if (event.nativeEvent.isComposing || hits.length === 0) return
    if (event.key === 'ArrowDown') setMoved((active + 1) % hits.length)
    else if (event.key === 'ArrowUp') setMoved(active <= 0 ? hits.length - 1 : active - 1)
    else return
    event.preventDefault()
  }

  return (
    <>
      <form
        className={classes['head']}
        onSubmit={(event) => {
          event.preventDefault()
          // If the person has moved to a hit, Enter opens it, even if the search has not ended.
          if (typed === '' || settled || moved !== null) return open(active)
          openWhenFound.current = true
          search.askNow()
        }}
      >
        <IconSearch size={18} stroke={1.7} />
        <input
          className={classes['input']}
          data-autofocus
          role="combobox"
          aria-label="Quick search"
          aria-expanded={hits.length > 0}
          aria-controls={list}
          aria-activedescendant={active >= 0 ? optionId(list, active) : undefined}
          aria-autocomplete="list"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          enterKeyHint="search"
          maxLength={255}
          placeholder="IMEI, serial number, name, number…"
          value={text}
          onFocus={() => {
            const { text: typedBefore = '', isEntered = false } = takeEarly() ?? {}
            if (typedBefore !== '') search.start(typedBefore)
            if (typedBefore.trim() !== '') openWhenFound.current = isEntered
          }}
          onKeyDown={onKeyDown}
          onChange={(event) => {
            openWhenFound.current = false
            setMoved(null)
            search.onText(event)
          }}
        />
        {search.searching && <Loader size={16} aria-label="Searching" />}
        <CloseButton aria-label="Close quick search" onClick={onClose} />
      </form>
      <fieldset className={classes['tags']}>
        <VisuallyHidden component="legend">Search only in</VisuallyHidden>
        {TAGS.map((tag) => (
          <Tag key={tag} pressed={search.tags.includes(tag)} onClick={() => search.toggleTag(tag)}>
            {tag}
          </Tag>
        ))}
        <span className={classes['divider']} />
        <Tag pressed={search.inStockOnly} onClick={() => search.setInStockOnly(!search.inStockOnly)}>
          Only In Stock
        </Tag>
      </fieldset>
      <div className={classes['results']}>
        {error ? (
          <ErrorState error={error} retry={search.retry} />
        ) : (
          <HitList id={list} groups={groups} active={active} text={typed} onOpened={onClose} />
        )}
        {settled && typed !== '' && hits.length === 0 && (
          <Text c="dimmed" ta="center" py={40}>{`No results for "${typed}"`}</Text>
        )}
      </div>
      <VisuallyHidden role="status">
        {settled && typed !== '' && (hits.length === 1 ? '1 result' : `${hits.length} results`)}
      </VisuallyHidden>
    </>
  )
}

/** A tag. A click on it leaves the focus in the search field. */
function Tag(props: { pressed: boolean; onClick: () => void; children: string }) {
  return (
    <UnstyledButton
      className={classes['tag'] ?? ''}
      aria-pressed={props.pressed}
      onMouseDown={(event) => event.preventDefault()}
      onClick={props.onClick}
    >
      {props.children}
    </UnstyledButton>
  )
}
