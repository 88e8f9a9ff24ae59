import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import PostalMime from 'postal-mime'
import { extractText, getDocumentProxy } from 'unpdf'
import { afterAll, beforeAll, expect } from 'vitest'
import { testInTurn } from '../../packages/server/src/testing/in-turn.ts'
import { runSaleJobs } from '../../packages/server/src/testing/shop.ts'
import { reached } from './figures.ts'
import { routesOf } from './routes.ts'
import { closeSound, type PromiseShop, promiseShop } from './shop.ts'

// Promise B9 of docs/promises.md: names that try to be code, markup or paths.
let t: PromiseShop
const folder = mkdtempSync(path.join(os.tmpdir(), 'backstock-promises-'))
const heard: string[] = []
const listener = createServer((request, response) => {
  heard.push(String(request.url))
  response.end()
})
beforeAll(async () => {
  t = await promiseShop({ publicUrl: 'https://shop.test' })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
})
afterAll(async () => {
  listener.close()
  rmSync(folder, { recursive: true })
  await closeSound(t)
})

testInTurn('B9: HTML, line breaks and addresses in names stay text', async () => {
  const trap = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`
  const address = {
    address_1: `<img src="${trap}/address">`,
    city: `${trap}/city`,
    postal_code: '1',
    country_code: 'DE',
  }
  const names = [
    { first_name: `<img src=${trap}/x onerror=alert(1)>`, last_name: '<script>alert(1)</script>' },
    { first_name: 'Eve\r\nBcc: victim@evil.test', last_name: 'Mallory\nTo: other@evil.test' },
    { first_name: '"victim@evil.test", <other@evil.test>', last_name: 'victim@evil.test' },
    { first_name: `${trap}/link`, last_name: '=?utf-8?B?QmNjOiBh?=' },
    { first_name: `</p><a href="${trap}/a">click</a>`, last_name: `url(${trap}/css)` },
  ]
  for (const email of ['a@b.test\r\nBcc: x@evil.test', 'a@b.test, x@evil.test', 'A <a@b.test>', 'a@b.test\0'])
    expect((await t.staff.post('/api/customer/create', { ...names[0], email })).status).toBe(422)
  for (const [n, name] of names.entries()) {
    const customer = { ...name, email: `buyer${n}@example.test`, company_name: `Co ${trap}`, billing_address: address }
    const made = await t.staff.post('/api/customer/create', customer)
    expect(made.status).toBe(201)
    const [item] = await t.items(1, { serial_number: `<b>${n}</b>` })
    const options = { customer_id: made.body.data.id, create_invoice: true, create_excel: true, send_email: true }
    expect((await t.sell(t.staff, [item!], { ...options, reference_number: `<i>${trap}</i>` })).status).toBe(201)
  }
  await runSaleJobs(t, folder)

  const mails = readdirSync(path.join(folder, 'mail')).map((file) => readFileSync(path.join(folder, 'mail', file)))
  expect(mails).toHaveLength(names.length)
  for (const raw of mails) {
    const mail = await PostalMime.parse(raw)
    expect(mail.to?.map((one) => one.address)).toEqual([expect.stringMatching(/^buyer\d@example\.test$/)])
    expect([mail.cc ?? [], mail.bcc ?? []]).toEqual([[], []])
    expect(mail.headers.filter(({ key }) => key === 'to' || key === 'bcc')).toHaveLength(1)
    expect(mail.html).toBeTruthy()
    expect(mail.html).not.toMatch(/<(img|script|a|iframe|object|link)\b/i)
    const pdf = await getDocumentProxy(new Uint8Array(mail.attachments[0]!.content as ArrayBuffer))
    for (let n = 1; n <= pdf.numPages; n++) expect(await (await pdf.getPage(n)).getAnnotations()).toEqual([])
    expect((await extractText(pdf, { mergePages: true })).text).toContain('127.0.0.1')
  }
  expect(heard).toEqual([])

  const forged = { host: 'forged.test', 'x-forwarded-host': 'forged.test', forwarded: 'host=forged.test' }
  const addresses = routesOf(t.app).filter(({ method, url }) => method === 'GET' && !/assets|:/.test(url))
  for (const { url } of addresses) {
    const { raw, headers } = await t.staff.get(`${url}?per_page=1&page=2`, forged)
    expect([url, String(raw).includes('forged.test'), JSON.stringify(headers).includes('forged.test')]).toEqual([
      url,
      false,
      false,
    ])
  }
  const described = await t.staff.get('/api/partner/v1/openapi.json', forged)
  expect(described.body.servers[0].url).toContain('https://shop.test')
  reached(
    'B9',
    `${names.length} names in mails and PDFs, ${addresses.length} forged hosts: inert`,
    'inert, no request, PUBLIC_URL',
  )
})
