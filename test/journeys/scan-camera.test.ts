import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { afterAll, beforeAll } from 'vitest'
import { filmOf } from '../../packages/server/src/testing/fake-camera.ts'
import { testInTurn } from '../../packages/server/src/testing/in-turn.ts'
import { atRest, expect, openBrowser, visit, withPicture } from './browser-page.ts'
import { openShop, rowsOf } from './sample-shop.ts'
import { newItems } from './shop-records.ts'

const shop = openShop()
const folder = mkdtempSync(path.join(tmpdir(), 'backstock-film-'))
let filmed: Browser | undefined
afterAll(async () => {
  await filmed?.close()
  rmSync(folder, { recursive: true })
})

const camera = (page: Page) => page.getByRole('button', { name: 'Camera', exact: true })
/** The states of the tracks of the video: 'live' while the camera is on, 'none' if there is no video. */
const LIVE = `document.querySelector('video')?.srcObject?.getTracks().map((track) => track.readyState).join() ?? 'none'`

let imei = ''
let serial = ''
beforeAll(async () => {
  const { call } = await shop.colleague()
  const [one] = await newItems(call, 1)
  const [two] = await newItems(call, 1, { imei: null, serial_number: 'SN000000001X' })
  imei = one!.imei!
  serial = two!.serial_number!
  const film = path.join(folder, 'codes.y4m')
  await filmOf(
    [
      { bcid: 'code128', text: imei },
      { bcid: 'qrcode', text: serial },
      { bcid: 'datamatrix', text: 'H0000002' },
    ],
    film,
  )
  filmed = await openBrowser(
    '--use-fake-ui-for-media-stream',
    '--use-fake-device-for-media-stream',
    `--use-file-for-fake-video-capture=${film}`,
  )
})

testInTurn(
  'the camera reads Code 128, QR and DataMatrix, is fetched by its button, and is off with the screen',
  async () => {
    const { context: entered } = await shop.colleague()
    const cookies = await entered.cookies()
    const { page, context, problems } = await visit(filmed!, shop.address(), {
      permissions: ['camera'],
      storageState: { cookies, origins: [] },
    })
    const asked: string[] = []
    context.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.goto('/admin/scan')
    await withPicture('scan-with-a-camera', page, () =>
      expect(page.getByRole('textbox', { name: 'Scan' }), JSON.stringify(problems)).toBeFocused(),
    )
    await atRest(page)
    expect(asked.filter((one) => /camera|wasm/.test(one))).toEqual([])

    await camera(page).click()
    for (const code of [imei, serial, 'H0000002'])
      await expect(rowsOf(page, 'Scanned').filter({ hasText: code }).first()).toBeVisible()
    await expect(page.locator('dt', { hasText: /^Found$/ }).locator('+ dd')).toHaveText('2')
    await expect(page.locator('dt', { hasText: /^Not found$/ }).locator('+ dd')).toHaveText('1')
    expect(asked.filter((one) => one.endsWith('.wasm'))).toEqual([expect.stringMatching(/^\/assets\/zxing_reader-/)])

    // The button turns the camera and its reader off and on again. Leaving the screen turns both off.
    expect(await page.evaluate(LIVE)).toBe('live')
    expect(page.workers()).toHaveLength(1)
    await page.evaluate(`globalThis.stream = document.querySelector('video').srcObject`)
    const state = `globalThis.stream.getTracks()[0].readyState`
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await expect.poll(() => page.evaluate(state)).toBe('ended')
    await expect.poll(() => page.workers()).toHaveLength(0)
    await camera(page).click()
    await expect.poll(() => page.evaluate(LIVE)).toBe('live')
    await page.evaluate(`globalThis.stream = document.querySelector('video').srcObject`)
    await page.getByRole('link', { name: 'Deliveries' }).click()
    await page.waitForURL('**/admin/stock/check')
    await expect.poll(() => page.evaluate(state)).toBe('ended')
    await expect.poll(() => page.workers()).toHaveLength(0)
    expect(problems).toEqual([])
    await context.close()
  },
)

testInTurn('the camera is off once its reader has failed, and on again after a retry', async () => {
  const { context: entered } = await shop.colleague()
  const cookies = await entered.cookies()
  const { page, context } = await visit(filmed!, shop.address(), {
    permissions: ['camera'],
    storageState: { cookies, origins: [] },
  })
  await page.route('**/*.wasm', (route) => route.abort())
  // The browser has one camera. Both names of it mean the same.
  await page.addInitScript(`
    const get = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices)
    navigator.mediaDevices.getUserMedia = async (wanted) => {
      globalThis.wanted = wanted
      return (globalThis.stream = await get(wanted.video.deviceId ? { video: true } : wanted))
    }
    const list = navigator.mediaDevices.enumerateDevices.bind(navigator.mediaDevices)
    navigator.mediaDevices.enumerateDevices = async () => [...(await list()), { kind: 'videoinput', deviceId: 'front' }]`)
  const state = `globalThis.stream?.getTracks()[0].readyState`
  await page.goto('/admin/scan')
  await camera(page).click()
  await expect(page.getByRole('alert')).toContainText('The code reader has failed')
  expect(await page.evaluate(state)).toBe('ended')
  await expect.poll(() => page.workers()).toHaveLength(0)
  // A phone opens the camera on its back.
  expect(await page.evaluate('globalThis.wanted.video')).toMatchObject({ facingMode: 'environment' })
  await page.unroute('**/*.wasm')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(rowsOf(page, 'Scanned').first()).toBeVisible()
  // The state of the stream that is shown, not of the one that was asked for last.
  await expect.poll(() => page.evaluate(LIVE)).toBe('live')
  await page.getByRole('button', { name: 'Other camera' }).click()
  await expect.poll(() => page.evaluate('globalThis.wanted.video.deviceId')).toEqual({ exact: 'front' })
  await expect.poll(() => page.evaluate(LIVE)).toBe('live')
  await context.close()
})

testInTurn('without a camera, or without leave to use it, the screen says why', async () => {
  const { page } = await shop.colleague()
  await page.addInitScript(`
    navigator.mediaDevices.getUserMedia = () =>
      Promise.reject(new DOMException('no', globalThis.refusal ?? 'NotAllowedError'))`)
  await page.goto('/admin/scan')
  await camera(page).click()
  await expect(page.getByRole('alert')).toContainText('does not let Backstock use the camera')
  await page.evaluate(`globalThis.refusal = 'NotFoundError'`)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('alert')).toContainText('There is no camera here')
  await page.evaluate(`globalThis.refusal = 'NotReadableError'`)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('alert')).toContainText('The camera is in use by another program.')
  await page.getByRole('button', { name: 'Close', exact: true }).click()
  await expect(page.getByRole('alert')).toBeHidden()
})

testInTurn('over plain HTTP the screen says what a camera needs', async () => {
  const { page } = await shop.colleague()
  await page.addInitScript(`Object.defineProperty(globalThis, 'isSecureContext', { value: false })`)
  await page.goto('/admin/scan')
  await camera(page).click()
  await expect(page.getByRole('alert')).toContainText('over HTTPS or on localhost only')
})
