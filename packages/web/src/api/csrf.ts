let sessionToken: string | null = null

/** Keeps the token of the auth answer, for browsers that do not let scripts read the cookie. */
export function rememberCsrfToken(token: string | null | undefined): void {
  sessionToken = token ?? null
}

/**
 * The token of the XSRF-TOKEN cookie, which other tabs keep up to date, too. If there is no cookie, the token of the
 * last answer to a login or a session check.
 */
export function csrfToken(): string | null {
  const cookie = document.cookie.split('; ').find((part) => part.startsWith('XSRF-TOKEN='))
  return cookie ? decodeURIComponent(cookie.slice('XSRF-TOKEN='.length)) : sessionToken
}
