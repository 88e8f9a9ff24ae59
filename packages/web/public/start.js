// This script runs before all others. It is a file of its own because the content security policy allows no inline
// script.

// Choose the theme before anything is drawn, so that a dark page never flashes white.
;(() => {
  let chosen = null
  try {
    chosen = localStorage.getItem('mantine-color-scheme-value')
  } catch {
    // The browser may forbid storage. The system's theme is used then.
  }
  const dark = matchMedia('(prefers-color-scheme: dark)').matches
  const scheme = chosen === 'dark' || chosen === 'light' ? chosen : dark ? 'dark' : 'light'
  document.documentElement.setAttribute('data-mantine-color-scheme', scheme)
})()

// Load the files that every page but the login needs. Without this the browser would find out only when the application
// runs.
if (/^\/(admin(\/|$)|$)/.test(location.pathname))
  for (const href of document.currentScript.dataset.first?.split(' ') ?? []) {
    const style = href.endsWith('.css') && { rel: 'preload', as: 'style' }
    document.head.append(
      Object.assign(document.createElement('link'), style || { rel: 'modulepreload' }, { crossOrigin: '', href }),
    )
  }
