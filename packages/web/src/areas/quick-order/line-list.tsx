import { Anchor, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { Panel } from '../../ui/layout/panel.tsx'

const SHOWN_AT_FIRST = 20

type Props = { title: string; lines: readonly string[] }

/** The lines for which there is no item, as they were typed. */
export function LineList({ title, lines }: Props) {
  const [all, setAll] = useState(false)
  if (lines.length === 0) return null
  return (
    <Panel>
      <Title order={2} mb="xs">{`${title} (${lines.length.toLocaleString('en')})`}</Title>
      <Text size="sm" ff="monospace" style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
        {(all ? lines : lines.slice(0, SHOWN_AT_FIRST)).join('\n')}
      </Text>
      {lines.length > SHOWN_AT_FIRST && (
        <Anchor component="button" type="button" size="sm" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? 'Show less' : 'Show more'}
        </Anchor>
      )}
    </Panel>
  )
}
