import { Paper, type PaperProps } from '@mantine/core'
import type { ReactNode } from 'react'

/** A bordered surface for content. */
export function Panel({ children, ...props }: PaperProps & { children: ReactNode }) {
  return (
    <Paper withBorder p="md" radius="md" bg="var(--surface)" {...props} style={{ borderColor: 'var(--line)' }}>
      {children}
    </Paper>
  )
}
