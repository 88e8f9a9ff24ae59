// Runs before everything else. A file of its own: the pages allow no inline script.

// So that a dark page never flashes white.
;(() => {
  let chosen = null
  try {
    chosen = localStorage.getItem('mantine-color-scheme-value')
  } catch {
    // Storage may be forbidden; the system's setting is used then.
  }
  const dark = matchMedia('(prefers-color-scheme: dark)').matches
  const scheme = chosen === 'dark' || chosen === 'light' ? chosen : dark ? 'dark' : 'light'
  document.documentElement.setAttribute('data-mantine-color-scheme', scheme)
})()

// What every page but the login shows, and what is not known to be needed before the application runs.
if (/^\/(admin(\/|$)|$)/.test(location.pathname))
  for (const href of document.currentScript.dataset.first?.split(' ') ?? []) {
    const style = href.endsWith('.css') && { rel: 'preload', as: 'style' }
    document.head.append(
      Object.assign(document.createElement('link'), style || { rel: 'modulepreload' }, { crossOrigin: '', href }),
    )
  }
