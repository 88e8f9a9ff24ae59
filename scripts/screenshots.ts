import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type BrowserContext, chromium } from '@playwright/test'
import sharp from 'sharp'
import { browserPath, launchArguments } from '../test/browser.ts'
import { logIn } from '../test/journeys/browser-page.ts'
import { newDataDir, project, removeDataDir, startServer } from '../test/journeys/running-server.ts'
import { settled } from '../test/journeys/screen-check.ts'
import { PICTURES, type Picture } from './screenshots/pictures.ts'
import { keepDaysStill } from './screenshots/still.ts'
import { differsVisibly, type Pixels } from './screenshots/visible.ts'

/** The width of the pictures in px: so narrow that the menu is hidden. */
const WIDTH = 980

/** Hides the alert about sales that require attention, because it is about the sample shop and not about the screen. */
const WITHOUT_FOOT = `{
  document.querySelector('[data-attention]')?.removeAttribute('data-attention')
  const foot = document.querySelector('#content + footer')
  if (foot) foot.style.display = 'none'
}`

async function pixels(png: Buffer | string): Promise<Pixels> {
  const { data, info } = await sharp(png)
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, data }
}

async function taken(
  context: BrowserContext,
  { file, at, before, width = WIDTH, height, of = 'main', hasOwnDays }: Picture,
) {
  const page = await context.newPage()
  try {
    await page.setViewportSize({ width, height })
    await page.goto(at)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await before?.(page)
    await page.waitForLoadState('networkidle')
    await settled(page)
    if (!hasOwnDays) await keepDaysStill(page)
    if (file.startsWith('manual/')) await page.evaluate(WITHOUT_FOOT)
    if (of === 'window') return await page.screenshot({ animations: 'disabled' })
    const box = (await page.locator(of).last().boundingBox())!
    const bottom = Math.min(height, box.y + box.height)
    return await page.screenshot({
      animations: 'disabled',
      clip: { x: box.x, y: Math.max(0, box.y), width: box.width, height: bottom - Math.max(0, box.y) },
    })
  } finally {
    await page.close()
  }
}

const wanted = process.argv.slice(2)
const pictures = PICTURES.filter(({ file }) => wanted.length === 0 || wanted.some((name) => file.endsWith(name)))
const dataDir = newDataDir()
const server = await startServer(dataDir, { SAMPLE_DATA: '1' })
const browser = await chromium.launch({ executablePath: browserPath(), args: launchArguments() })
try {
  const context = await browser.newContext({
    baseURL: server.address,
    colorScheme: 'light',
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'Europe/Amsterdam',
  })
  await logIn(await context.newPage())
  for (const picture of pictures) {
    const file = path.join(project, 'docs', `${picture.file}.png`)
    const png = await sharp(await taken(context, picture))
      .png({ palette: true, colours: 96, effort: 10, dither: 0 })
      .toBuffer()
    if (existsSync(file) && !differsVisibly(await pixels(file), await pixels(png))) continue
    writeFileSync(file, png)
    console.log(`docs/${picture.file}.png: ${Math.round(png.length / 1024)} KB`)
  }
} finally {
  await browser.close()
  await server.stop()
  removeDataDir(dataDir)
}
