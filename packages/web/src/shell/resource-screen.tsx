import { Button, Stack, Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { Screen } from '../crud/screen.ts'
import { Crumbs, PageHeader } from '../ui/layout/page-header.tsx'
import { PlainLink } from '../ui/values/link.tsx'

export type Resource = { title: string; screens: Record<string, Screen> }
/** The parts of a path: /admin/{resource}/{operation}/{id}. */
export type ResourceParams = { resource?: string; operation?: string; id?: string }

/** The screen that a path names; undefined if there is none. Without an operation it is 'list'. */
export function screenOf(resources: Record<string, Resource>, params: ResourceParams): Screen | undefined {
  const { resource = '', operation = 'list', id } = params
  // Only the operation 'edit' has an id in its path.
  if (!Object.hasOwn(resources, resource) || (operation === 'edit') !== (id !== undefined)) return undefined
  const screens = resources[resource]?.screens ?? {}
  return Object.hasOwn(screens, operation) ? screens[operation] : undefined
}

const NAMES: Readonly<Record<string, string>> = { 'add-to-batch': 'Add to Batch', 'import-memory': 'Import Memory' }
const operationName = (operation: string) => NAMES[operation] ?? operation.charAt(0).toUpperCase() + operation.slice(1)

/** Makes the component that draws the screen of the current path. Its breadcrumbs are: Admin > title > operation. */
export function resourceScreen(resources: Record<string, Resource>) {
  return function ResourceScreen() {
    const params = useParams({ strict: false }) as ResourceParams
    const { resource = '', operation = 'list' } = params
    const title = resources[resource]?.title ?? resource
    const crumbs = useMemo(
      () => [{ title, to: `/admin/${resource}` }, { title: operationName(operation) }],
      [title, resource, operation],
    )
    const isResource = Object.hasOwn(resources, resource)
    const Component = screenOf(resources, params)?.component
    return (
      <Crumbs value={crumbs}>
        {Component ? (
          <Component />
        ) : (
          <>
            <PageHeader title={title} />
            <Stack align="flex-start" gap="md">
              <Text role="alert">Operation not found</Text>
              {isResource ? (
                <Button component={PlainLink} to={`/admin/${resource}`} variant="default">
                  To {title}
                </Button>
              ) : (
                <Button component={PlainLink} to="/admin/dashboard" variant="default">
                  To Dashboard
                </Button>
              )}
            </Stack>
          </>
        )}
      </Crumbs>
    )
  }
}
