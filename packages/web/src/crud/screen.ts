import { lazyRouteComponent, type RouteComponent } from '@tanstack/react-router'
import { type ComponentType, createElement } from 'react'
import { loadCode } from '../api/load-code.ts'
import type { Area, ListRead, RecordRow } from './area.ts'
import type { Address } from './list-state.ts'

type ScreenModule = { default: ComponentType }

export type Screen = {
  component: RouteComponent
  /**
   * Loads the code of the screen and reads what it shows, such as a list's rows at this address. The router calls it
   * before it draws the screen, or when the pointer rests on a link to the screen.
   */
  prepare: (address: Address) => Promise<void>
  /** Resolves when everything is loaded that the screen needs to be drawn at this address. */
  ready?: (address: Address) => Promise<unknown>
}

/** A screen whose code is loaded when it is first needed. `readAhead` begins to read its data meanwhile. */
export function screen(load: () => Promise<ScreenModule>, readAhead?: () => Promise<unknown>): Screen {
  return {
    component: lazyRouteComponent(() => loadCode(load)),
    async prepare() {
      await Promise.all([load(), readAhead?.()])
    },
  }
}

/** A list's screen: its rows are read while its code loads. */
export function listScreen(load: () => Promise<ScreenModule & { list: ListRead }>): Screen {
  return {
    ...screen(load),
    async prepare(address) {
      const [{ list }, { prefetchList }] = await Promise.all([load(), import('./list-read.ts')])
      prefetchList(list, address)
    },
    async ready(address) {
      if (address['columns'] !== undefined) await (await load()).list.choice?.load?.()
    },
  }
}

/** The screens for list, create and edit of an area. */
export function areaScreens<Row extends RecordRow, Values extends object>(load: () => Promise<Area<Row, Values>>) {
  return {
    list: listScreen(async () => {
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
