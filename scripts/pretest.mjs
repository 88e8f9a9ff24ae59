import { buildScreens, checkNode, giveUp, isInstalled, run } from './checkout.mjs'

checkNode()
buildScreens()

// Imported only after the check of Node's version, because the file is TypeScript.
const { browserPath } = await import('../test/browser.ts')

function findBrowser() {
  try {
    return { path: browserPath() }
  } catch (error) {
    return { problem: error.message }
  }
}

const TRIES = 3
const PAUSE_MS = 5000

/**
 * Runs apt-get, and tries again if it fails: a mirror may not answer, or a machine that has just started may hold apt's
 * locks. Returns whether it succeeded.
 */
function aptGet(...words) {
  const options = ['-qq', '-o', 'DPkg::Lock::Timeout=300', '-o', 'APT::Update::Error-Mode=any']
  for (let left = TRIES; left > 0; left--) {
    if (run('apt-get', [...options, ...words], { DEBIAN_FRONTEND: 'noninteractive' })) return true
    if (left > 1) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS)
  }
  return false
}

const hadBrowser = findBrowser().path !== undefined
const hadPdfToText = isInstalled('pdftotext')

if (process.getuid?.() === 0 && isInstalled('apt-get') && !(hadBrowser && hadPdfToText)) {
  const install = (...names) => {
    console.log(`Installing ${names.join(' and ')} for the tests ...`)
    return aptGet('install', '-y', '--no-install-recommends', ...names)
  }
  aptGet('update')
  // Ubuntu has no package of the browser without windows, so Chromium is tried next. The screens use this font, and the
  // browser's package does not install it.
  if (!hadBrowser) install('chromium-headless-shell', 'fonts-liberation') || install('chromium', 'fonts-liberation')
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
