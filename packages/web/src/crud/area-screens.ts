import { lazyRouteComponent } from '@tanstack/react-router'
import { createElement } from 'react'
import type { Area, RecordRow } from './area.ts'

/** The generic screens of an area, each fetched when it is first needed. */
export function areaScreens<Row extends RecordRow, Values extends object>(load: () => Promise<Area<Row, Values>>) {
  return {
    list: lazyRouteComponent(async () => {
      const [{ ListPage }, area] = await Promise.all([import('./list-page.tsx'), load()])
      return { default: () => createElement(ListPage<Row>, { area }) }
    }),
    create: lazyRouteComponent(async () => {
      const [{ CreatePage }, area] = await Promise.all([import('./record-page.tsx'), load()])
      return { default: () => createElement(CreatePage<Row, Values>, { area }) }
    }),
    edit: lazyRouteComponent(async () => {
      const [{ EditPage }, area] = await Promise.all([import('./record-page.tsx'), load()])
      return { default: () => createElement(EditPage<Row, Values>, { area }) }
    }),
  }
}
