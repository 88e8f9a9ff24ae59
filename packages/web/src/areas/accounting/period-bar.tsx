import { ActionIcon, NativeSelect, SegmentedControl } from '@mantine/core'
import IconChevronLeft from '@tabler/icons-react/dist/esm/icons/IconChevronLeft.mjs'
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs'
import { useEffect, useState } from 'react'
import { DateField } from '../../ui/fields/date-field.tsx'
import classes from './accounting.module.css'
import { choicesOf, type Kind, type Period, periodOf, problemOf } from './period.ts'

type Props = { kind: Kind; period: Period; onChange: (kind: Kind, period: Period) => void }

const NAMES = [
  { value: 'month', label: 'Month' },
  { value: 'quarter', label: 'Quarter' },
  { value: 'year', label: 'Year' },
  { value: 'days', label: 'Days' },
] satisfies { value: Kind; label: string }[]

/**
 * Today in the browser's time zone. It may differ from the server's by a day, and only decides which period is offered
 * first.
 */
function today(): string {
  const now = new Date()
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10)
}

/** The controls that choose the days of the page. */
export function PeriodBar({ kind, period, onChange }: Props) {
  const turnTo = (value: string) => {
    const next = NAMES.find((name) => name.value === value)?.value
    if (next) onChange(next, next === 'days' ? period : periodOf(next, period.from))
  }
  return (
    <div className={classes['period']}>
      <SegmentedControl aria-label="Kind of period" data={NAMES} value={kind} onChange={turnTo} />
      {kind === 'days' ? (
        <Days period={period} onChange={(days) => onChange('days', days)} />
      ) : (
        <div className={classes['step']}>
          <ActionIcon
            variant="default"
            size={36}
            aria-label={`Previous ${kind}`}
            onClick={() => onChange(kind, periodOf(kind, period.from, -1))}
          >
            <IconChevronLeft size={18} />
          </ActionIcon>
          <NativeSelect
            aria-label="Period"
            data={choicesOf(kind, today(), period)}
            value={period.from}
            onChange={(event) => onChange(kind, periodOf(kind, event.currentTarget.value))}
          />
          <ActionIcon
            variant="default"
            size={36}
            aria-label={`Next ${kind}`}
            onClick={() => onChange(kind, periodOf(kind, period.from, 1))}
          >
            <IconChevronRight size={18} />
          </ActionIcon>
        </div>
      )}
    </div>
  )
}

/** The two days that people type. The page shows the old period until the typed days make a valid one. */
function Days({ period, onChange }: { period: Period; onChange: (days: Period) => void }) {
  const [typed, setTyped] = useState<{ from: string | null; to: string | null }>(period)
  useEffect(() => setTyped({ from: period.from, to: period.to }), [period.from, period.to])
  const type = (change: Partial<typeof typed>) => {
    const { from, to } = { ...typed, ...change }
    setTyped({ from, to })
    if (from !== null && to !== null && problemOf(from, to) === null) onChange({ from, to })
  }
  const problem = typed.from !== null && typed.to !== null ? problemOf(typed.from, typed.to) : null
  return (
    <div className={classes['days']}>
      <DateField aria-label="First day" value={typed.from} onChange={(from) => type({ from })} />
      <span>to</span>
      <DateField aria-label="Last day" value={typed.to} onChange={(to) => type({ to })} error={problem} />
    </div>
  )
}
