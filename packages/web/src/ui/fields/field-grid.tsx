import { SimpleGrid } from '@mantine/core'
import type { ReactNode } from 'react'

/** Form fields in two columns on screens from 992 px, and in one column on narrower ones. */
export function FieldGrid({ children }: { children: ReactNode }) {
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md" verticalSpacing="sm">
      {children}
    </SimpleGrid>
  )
}
