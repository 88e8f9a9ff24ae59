import { buildScreens, checkNode, giveUp, isInstalled, run } from './checkout.mjs'

checkNode()
buildScreens()

// Only now: it is TypeScript, which an old Node cannot read.
const { browserPath } = await import('../test/browser.ts')

function findBrowser() {
  try {
    return { path: browserPath() }
  } catch (error) {
    return { problem: error.message }
  }
}

const hadBrowser = findBrowser().path !== undefined
const hadPdfToText = isInstalled('pdftotext')

if (process.getuid?.() === 0 && isInstalled('apt-get') && !(hadBrowser && hadPdfToText)) {
  const quietly = { DEBIAN_FRONTEND: 'noninteractive' }
  const install = (name) => {
    console.log(`Installing ${name} for the tests ...`)
    return run('apt-get', ['install', '-y', '-qq', name], quietly)
  }
  run('apt-get', ['update', '-qq'], quietly)
  // Ubuntu has no browser without windows.
  if (!hadBrowser) install('chromium-headless-shell') || install('chromium')
  if (!hadPdfToText) install('poppler-utils')
}
if (!findBrowser().path) {
  console.log('Downloading a browser for the tests ...')
  run('npx', ['playwright', 'install', 'chromium'])
}

const { problem } = findBrowser()
if (problem) giveUp(problem)
if (!isInstalled('pdftotext'))
  console.log(
    'pdftotext is missing: tests that read a PDF with it will fail. Debian, Ubuntu: apt-get install -y poppler-utils; macOS: brew install poppler.',
  )
