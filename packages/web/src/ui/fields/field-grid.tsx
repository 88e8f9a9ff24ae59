import { SimpleGrid } from '@mantine/core'
import type { ReactNode } from 'react'

/** Form fields in two columns from 992 px, one below. */
export function FieldGrid({ children }: { children: ReactNode }) {
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md" verticalSpacing="sm">
      {children}
    </SimpleGrid>
  )
}
