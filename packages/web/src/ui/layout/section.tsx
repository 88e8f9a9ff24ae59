import { Accordion } from '@mantine/core'
import type { ReactNode } from 'react'

export type SectionItem = { name: string; title: string; content: ReactNode }

/** Accordion sections of a record page; several may stay open. `open` names those that start open (default: all). */
export function Sections({ items, open }: { items: readonly SectionItem[]; open?: string[] }) {
  return (
    <Accordion
      multiple
      variant="separated"
      // A form in a folded section stays alive: its typed text is asked about, and others may send it.
      keepMountedMode="display-none"
      defaultValue={open ?? items.map((item) => item.name)}
      order={2}
      styles={{ item: { background: 'var(--surface)', border: '1px solid var(--line)' }, label: { fontWeight: 600 } }}
    >
      {items.map((item) => (
        <Accordion.Item key={item.name} value={item.name}>
          <Accordion.Control>{item.title}</Accordion.Control>
          <Accordion.Panel>{item.content}</Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  )
}
