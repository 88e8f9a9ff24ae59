import type { ListQuery, Page } from '@backstock/contract/page.ts'
import type { FastifyRequest } from 'fastify'
import type { Found } from '../db/page.ts'

/** The answer to a find request: one page of rows, with the addresses of the previous and the next page. */
export function pageAnswer<Row>(
  request: FastifyRequest,
  query: ListQuery,
  { rows, total }: Found<Row>,
): Page<Row> & { success: true } {
  const { page, per_page } = query
  const last = Math.max(1, Math.ceil(total / per_page))
  const link = (to: number) => {
    const url = new URL(request.url, 'http://localhost')
    url.searchParams.set('page', String(to))
    return url.pathname + url.search
  }
  const before = (page - 1) * per_page
  const onPage = Math.max(0, Math.min(per_page, total - before))
  return {
    success: true,
    data: rows,
    current_page: page,
    last_page: last,
    prev_page_url: page > 1 ? link(Math.min(page - 1, last)) : null,
    next_page_url: page < last ? link(page + 1) : null,
    from: onPage ? before + 1 : null,
    to: onPage ? before + onPage : null,
    total,
    per_page,
  }
}
