import { Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Panel } from '../../ui/layout/panel.tsx'
import classes from './dashboard.module.css'

/** A titled panel of the dashboard. */
export function Section({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <section aria-label={title} className={classes['section']}>
      <Panel h="100%">
        <div className={classes['heading']}>
          <Title order={2}>{title}</Title>
          {aside}
        </div>
        {children}
      </Panel>
    </section>
  )
}
