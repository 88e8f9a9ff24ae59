import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'

/** Says which part of the plain page is replaced: at this event, or when this many characters are typed. */
export type Swap = { event: string; typed: number; region: string; html: string }

export type Plain = {
  target: string
  /** Serves this HTML at this path. */
  serve(path: string, html: string): void
  stop(): void
}

/** Serves plain pages. Styles, fonts and pictures come from the real server. */
export async function startPlain(target: string): Promise<Plain> {
  const pages = new Map<string, string>()
  const server = http.createServer(({ url = '', headers }, response) => {
    const page = pages.get(url)
    if (page !== undefined) {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' }).end(page)
      return
    }
    const accept = headers['accept-encoding']
    http
      .request(target + url, { headers: accept ? { 'accept-encoding': accept } : {} }, (answer) => {
        response.writeHead(answer.statusCode!, answer.headers)
        answer.pipe(response)
      })
      .end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    target: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    serve: (path, html) => void pages.set(path, html),
    stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Adds the only script of a plain page, which replaces a part of it. */
export const withSwap = (html: string, swap: Swap) =>
  html.replace(
    '</body>',
    () => `<script>(${swapOnce})(${JSON.stringify(swap).replaceAll('<', '\\u003c')})</script></body>`,
  )

// The functions below run inside the page, so they cannot use anything outside of themselves.

function swapOnce({ event, typed, region, html }: Swap): void {
  if (event === 'popstate') history.pushState(null, '')
  addEventListener(event, (happened) => {
    const { target } = happened
    if (target instanceof HTMLInputElement && target.value.length < typed) return
    if (target instanceof Element && target.closest('a')) happened.preventDefault()
    document.querySelector(region)!.outerHTML = html
  })
}

/** The document, or a part of it, as HTML that looks the same without scripts. */
export function captured(region: string | null): string {
  for (const input of document.querySelectorAll('input')) {
    input.setAttribute('value', input.value)
    input.toggleAttribute('checked', input.checked)
  }
  if (region !== null) return document.querySelector(region)!.outerHTML
  const page = document.documentElement.cloneNode(true) as HTMLElement
  for (const code of page.querySelectorAll('script, noscript, link[rel="modulepreload"]')) code.remove()
  // Scripts have added style sheets with their host. The plain page has another host, and must load them from there.
  for (const link of page.querySelectorAll('link')) link.setAttribute('href', new URL(link.href).pathname)
  return `<!doctype html>${page.outerHTML}`
}
