import { accessSync, constants, existsSync } from 'node:fs'
import path from 'node:path'
import { chromium } from '@playwright/test'

/** The first is a browser without windows: journeys take a third less time in it. */
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'microsoft-edge-stable',
  'brave-browser',
]
const usualFolders = ['/usr/bin', '/usr/local/bin', '/snap/bin', '/opt/google/chrome']
const usualFiles = [
  '/opt/google/chrome/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/**
 * The browser of the journeys: `BROWSER_PATH`, else this machine's Chromium or Chrome, else Playwright's. Throws if
 * none.
 */
export function browserPath(): string {
  const asked = process.env['BROWSER_PATH']
  if (asked) {
    if (!existsSync(asked)) throw new Error(`BROWSER_PATH=${asked} does not exist.`)
    return asked
  }
  const onPath = (process.env['PATH'] ?? '').split(':').filter((folder) => folder && !folder.includes('node_modules'))
  const installed = [...onPath, ...usualFolders].flatMap((folder) => names.map((name) => path.join(folder, name)))
  const found = [...installed, ...usualFiles, chromium.executablePath()].find(isProgram)
  if (found) return found
  throw new Error(
    'The journeys need Chromium or Chrome and found neither. Install one (Debian: apt-get install -y chromium-headless-shell; Ubuntu: chromium; elsewhere: npx playwright install chromium) or set BROWSER_PATH.',
  )
}

/** The options of its launch: no sandbox if root may not have one, and no traffic of the browser's own. */
export function launchArguments(): string[] {
  return [
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--disable-quic',
    '--no-first-run',
    // Pages of the same window share a process: starting one costs as much as a screen.
    '--process-per-site',
  ]
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
