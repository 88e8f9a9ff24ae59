import type { FastifyInstance } from 'fastify'

export type Route = { method: string; url: string }

/** All routes that the router knows, read from the tree that Fastify prints. So no route can be forgotten. */
export function routesOf(app: FastifyInstance): Route[] {
  const path: string[] = []
  return app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const found = /^(.*?)(?:├── |└── )(\S+)(?: \(([A-Z, ]+)\))?$/.exec(line)
      if (!found) return []
      const [, indent = '', segment = '', methods = ''] = found
      path.splice(indent.length / 4, Number.POSITIVE_INFINITY, segment)
      return (
        methods
          .split(', ')
          .filter(Boolean)
          // The tree shows the route for all paths without its slash.
          .map((method) => ({ method, url: path.join('').replace(/^(?!\/)/, '/') }))
      )
    })
}

/** The path of a route, with this id in place of its parameters. */
export const addressOf = ({ url }: Route, id: number) => url.replaceAll(/:\w+/g, String(id))

/** Whether the route's method is one that changes something. */
export const isWrite = ({ method }: Route) => !['GET', 'HEAD'].includes(method)

/** The areas whose records can be created, without `these`. */
export const otherAreas = (app: FastifyInstance, these: readonly string[]) =>
  routesOf(app)
    .flatMap(({ method, url }) => (method === 'POST' && /^\/api\/([a-z-]+)\/create$/.exec(url)?.[1]) || [])
    .filter((area) => !these.includes(area))
