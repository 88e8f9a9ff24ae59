import { type ComponentType, createContext } from 'react'
import type { ListRead } from './area.ts'

/** The saved views of a list; the area of views provides them. */
export type ListViews = {
  /** Above the list; nothing as long as it has no views. */
  Tabs: ComponentType<{ list: ListRead }>
  /** At the end of its bar: saves the list's state as a view. */
  Save: ComponentType<{ list: ListRead }>
}

export const ListViewsContext = createContext<ListViews | null>(null)
