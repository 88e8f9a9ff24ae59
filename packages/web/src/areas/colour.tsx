import type { Colour } from '@backstock/contract/colour.ts'
import { nameList } from '../crud/name-list.tsx'

export const colour = nameList<Colour>({
  area: 'colour',
  title: 'Colour',
  empty: { text: 'The colours that your products come in.' },
})
