import { Text } from '@mantine/core'
import { type RouteComponent, useParams } from '@tanstack/react-router'
import { PageHeader } from '../ui/page-header.tsx'

export type Resource = { title: string; screens: Record<string, RouteComponent> }

/** Draws the screen that the path names: /admin/{resource}/{operation}/{id}; the operation is 'list' unless named. */
export function resourceScreen(resources: Record<string, Resource>) {
  return function ResourceScreen() {
    const params = useParams({ strict: false }) as { resource?: string; operation?: string; id?: string }
    const { resource = '', operation = 'list' } = params
    const found = resources[resource]
    const Screen = operation === 'edit' && params.id === undefined ? undefined : found?.screens[operation]
    if (Screen) return <Screen />
    const title = found?.title ?? resource
    return (
      <>
        <PageHeader title={title} crumbs={[{ title, to: `/admin/${resource}` }, { title: operation }]} />
        <Text role="alert">Operation not found</Text>
      </>
    )
  }
}
