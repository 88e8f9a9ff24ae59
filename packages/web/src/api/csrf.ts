let sessionToken: string | null = null

/** Keeps the token that the auth answer carries, for browsers that hide the cookie. */
export function rememberCsrfToken(token: string | null | undefined): void {
  sessionToken = token ?? null
}

/** The XSRF-TOKEN cookie, which other tabs keep fresh too, else the token of the last auth answer. */
export function csrfToken(): string | null {
  const cookie = document.cookie.split('; ').find((part) => part.startsWith('XSRF-TOKEN='))
  return cookie ? decodeURIComponent(cookie.slice('XSRF-TOKEN='.length)) : sessionToken
}
