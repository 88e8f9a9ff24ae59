import { accessSync, constants, existsSync } from 'node:fs'
import path from 'node:path'
import { chromium } from '@playwright/test'

/** The programs to look for. The first is a browser without windows, in which journeys take a third less time. */
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
 * The path of the browser for the journeys: `BROWSER_PATH`, or else this machine's Chromium or Chrome, or else
 * Playwright's. Throws if there is none.
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

/** The browser's options at launch: no sandbox if it runs as root, and no requests of its own. */
export function launchArguments(): string[] {
  return [
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--disable-quic',
    '--no-first-run',
    // Pages of the same site share a process, because starting one takes as long as a screen.
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
