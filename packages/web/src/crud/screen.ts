import { lazyRouteComponent, type RouteComponent } from '@tanstack/react-router'
import { type ComponentType, createElement } from 'react'
import type { ListRow } from '../ui/table/column.ts'
import type { Area, ListArea, RecordRow } from './area.ts'
import type { Address } from './list-state.ts'

/** What decides which rows a list asks for. */
export type ListRead = Pick<ListArea<ListRow>, 'area' | 'filters' | 'defaultOrder'>
type ScreenModule = { default: ComponentType; list?: ListRead }

export type Screen = {
  component: RouteComponent
  /**
   * Fetches the screen's code and, for a list, the rows of this address: before it is drawn, or while the pointer rests on
   * a link to it.
   */
  prepare: (address: Address) => Promise<void>
}

/** A screen that is fetched when it is first needed; a module with a `list` has its rows read at the same time. */
export function screen(load: () => Promise<ScreenModule>): Screen {
  return {
    component: lazyRouteComponent(load),
    async prepare(address) {
      const { list } = await load()
      if (list) (await import('./list-read.ts')).prefetchList(list, address)
    },
  }
}

/** The generic screens of an area. */
export function areaScreens<Row extends RecordRow, Values extends object>(load: () => Promise<Area<Row, Values>>) {
  return {
    list: screen(async () => {
      const [{ ListPage }, area] = await Promise.all([import('./list-page.tsx'), load()])
      return { default: () => createElement(ListPage<Row>, { area }), list: area }
    }),
    create: screen(async () => {
      const [{ CreatePage }, area] = await Promise.all([import('./record-page.tsx'), load()])
      return { default: () => createElement(CreatePage<Row, Values>, { area }) }
    }),
    edit: screen(async () => {
      const [{ EditPage }, area] = await Promise.all([import('./record-page.tsx'), load()])
      return { default: () => createElement(EditPage<Row, Values>, { area }) }
    }),
  }
}
