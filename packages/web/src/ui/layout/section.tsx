import { Accordion } from '@mantine/core'
import type { ReactNode } from 'react'

export type SectionItem = { name: string; title: string; content: ReactNode }

/**
 * The folding sections of a record's page. Several may be open at once. `open` names those that start open; all do if
 * it is left out.
 */
export function Sections({ items, open }: { items: readonly SectionItem[]; open?: string[] }) {
  return (
    <Accordion
      multiple
      variant="separated"
      // A folded section stays mounted: a form in it keeps its typed text, so that the leave guard can ask before the
      // text is lost.
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
