import { type ComponentType, createContext } from 'react'
import type { ListRead } from './area.ts'

/** The components for saved views of a list. The area `view` provides them, and the shell passes them on. */
export type ListViews = {
  /** The row of tabs above the list. Draws nothing if the list has no views. */
  Tabs: ComponentType<{ list: ListRead }>
  /** The button at the end of the bar that saves the state of the list as a view. */
  Save: ComponentType<{ list: ListRead }>
}

export const ListViewsContext = createContext<ListViews | null>(null)
