import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allowed } from '../../packages/server/src/testing/allowed.ts'
import type { Answer, Client } from '../../packages/server/src/testing/app.ts'
import { importCsv, uploadCsv } from '../../packages/server/src/testing/csv-upload.ts'
import { testInTurn } from '../../packages/server/src/testing/in-turn.ts'
import { readSheet } from '../../packages/server/src/testing/sheet.ts'
import { newImei, runSaleJobs } from '../../packages/server/src/testing/shop.ts'
import { bigPng } from './fake-files.ts'
import { full, reached } from './figures.ts'
import { closeSound, type PromiseShop, promiseShop, range } from './shop.ts'

// Promises B3 and B5 to B7 of docs/promises.md: hostile files and hostile file names.
const SECOND = full ? 1000 : 5000 // other tests run at the same time on the daily run

let t: PromiseShop
const folder = mkdtempSync(path.join(os.tmpdir(), 'backstock-promises-'))
beforeAll(async () => {
  t = await promiseShop()
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await closeSound(t)
})

const count = async (table: string) => (await t.rows<{ n: number }>(`select count(*)::int as n from ${table}`))[0]!.n

async function timed(work: () => Promise<Answer>): Promise<{ status: number; body: Answer['body']; ms: number }> {
  const start = performance.now()
  const { status, body } = await work()
  return { status, body, ms: performance.now() - start }
}

function upload(client: Client, url: string, field: string, content: Buffer, name = 'file', type = 'image/png') {
  const head = `--b\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n`
  return client.send({
    method: 'POST',
    url,
    payload: Buffer.concat([Buffer.from(head), content, Buffer.from('\r\n--b--\r\n')]),
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
  })
}

test('B3: what is no CSV file is refused with a reason, and nothing is kept of it', async () => {
  const header = 'imei,make,model,category,purchase_price'
  const files: Record<string, Buffer | string> = {
    'a million columns': `${header},${range(1_000_000).join()}\n1`,
    'one endless line': `${header}\n${'x'.repeat(20_000_000)}`,
    'an endless header': 'imei'.padEnd(20_000_000, 'x'),
    'an open quote': `${header}\n${newImei()},"Apple,iPhone 13,Phone,100\n${`${newImei()},Apple,iPhone 13,Phone,100\n`.repeat(5000)}`,
    NUL: `${header}\n${newImei()},App\0le,iPhone 13,Phone,100`,
    'UTF-16': Buffer.from(`\ufeff${header}\n${newImei()},Apple,iPhone 13,Phone,100`, 'utf16le'),
    'UTF-16 without a mark': Buffer.from(`${header}\n`, 'utf16le'),
    'a ZIP': Buffer.from('PK\x03\x04rest of it'),
    gzip: gzipSync(Buffer.alloc(1_000_000)),
    'double headers': `${header},imei\n1,2,3,4,5,6`,
    nothing: '',
    'no known header': 'a,b\n1,2',
  }
  const [imports, stock] = [await count('import'), await count('stock')]
  let slowest = 0
  for (const [what, csv] of Object.entries(files)) {
    const { status, body, ms } = await timed(() => uploadCsv(t.staff, { csv }))
    expect([what, status, body.data?.errors?.csv]).toEqual([what, 422, expect.stringMatching(/\w{3}/)])
    slowest = Math.max(slowest, ms)
  }
  expect(slowest).toBeLessThan(allowed(10_000))
  expect([await count('import'), await count('import_part'), await count('stock')]).toEqual([imports, 0, stock])
  reached(
    'B3',
    `${Object.keys(files).length} bad files: 422, at most ${Math.round(slowest)} ms`,
    'a clear error within 10 s, nothing written',
  )
})

testInTurn('B5: pictures and PDFs that are none are refused at once', async () => {
  const html = Buffer.from('<html><script>alert(1)</script></html>')
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
  const fakePdf = Buffer.from(`%PDF-1.7\n<html>${'<p>'.repeat(500)}</html>`)
  const bomb = gzipSync(Buffer.alloc(50_000_000))
  const pictures = {
    huge: bigPng(50_000, 50_000),
    svg,
    html,
    polyglot: Buffer.concat([Buffer.from('GIF89a'), html]),
    fakePdf,
    bomb,
  }
  const pdfs = {
    html,
    svg,
    polyglot: Buffer.concat([Buffer.from('%PDF-1.4\n'), bomb]),
    fakePdf,
    bomb,
    picture: bigPng(10, 10),
  }
  const [sale] = [(await t.sell(t.staff, await t.items(1))).body.data.id]
  const files = await count('file')
  const memory = process.memoryUsage().rss
  let slowest = 0
  for (const [url, field, all] of [
    [`/api/user/${t.staff.id}/avatar`, 'avatar', pictures],
    [`/api/sale/${sale}/pdf`, 'invoice', pdfs],
  ] as const)
    for (const [what, content] of Object.entries(all)) {
      const { status, ms } = await timed(() => upload(t.staff, url, field, content, `${what}.png`))
      expect([url, what, status]).toEqual([url, what, 415])
      slowest = Math.max(slowest, ms)
    }
  expect(slowest).toBeLessThan(allowed(SECOND))
  expect(await count('file')).toBe(files)
  const grown = (process.memoryUsage().rss - memory) / 1024 / 1024
  expect(grown).toBeLessThan(200)
  // Only the picture of a good file is stored, without the metadata in it.
  const good = await sharp({ create: { width: 300, height: 200, channels: 3, background: 'red' } })
    .jpeg()
    .toBuffer()
  expect((await upload(t.staff, `/api/user/${t.staff.id}/avatar`, 'avatar', Buffer.concat([good, html]))).status).toBe(
    200,
  )
  const kept = await t.staff.get(`/api/user/${t.staff.id}/avatar`)
  expect(kept.headers['content-type']).toBe('image/webp')
  expect(kept.raw.includes('script')).toBe(false)
  reached(
    'B5',
    `12 fakes: 415, at most ${Math.round(slowest)} ms, ${Math.max(0, Math.round(grown))} MB`,
    'within 1 s, 200 MB at most',
  )
})

testInTurn("B6: a file's name does no harm, wherever it shows", async () => {
  const sale = (await t.sell(t.staff, await t.items(1), { create_invoice: true })).body.data.id
  await runSaleJobs(t, folder)
  const pdf = (await t.staff.get(`/api/sale/${sale}/invoice`)).raw
  const names = [
    '../../../../etc/passwd.pdf',
    '..\\\\..\\\\windows\\\\system.pdf',
    'a%0d%0aSet-Cookie: a=b.pdf',
    'invoice\u202efdp.exe.pdf',
    `${'long'.repeat(1000)}.pdf`,
    'Ünïcode 発票 🧾.pdf',
    "quo'te;semi.pdf",
    '.pdf',
    'con.pdf ',
    '%2e%2e%2f.pdf',
  ]
  // Nobody applies these imports, and later ones of the same person would wait for them.
  const sender = await t.user()
  for (const name of names) {
    const answer = await upload(t.staff, `/api/sale/${sale}/pdf`, 'shipping_label', pdf, name, 'application/pdf')
    expect([name, answer.status]).toEqual([name, 200])
    const shown: string = answer.body.data.shipping_label
    expect(shown).not.toMatch(/[/\\\p{Cc}\p{Cf}]|^\./u)
    expect([...shown].length).toBeLessThanOrEqual(150)
    const { status, headers } = await t.staff.get(`/api/sale/${sale}/label`)
    const disposition = String(headers['content-disposition'])
    expect([status, disposition]).toEqual([
      200,
      expect.stringMatching(/^attachment; filename="[ !#-[\]-~]+"; filename\*=UTF-8''[\w.~%!$&+^`|-]+$/),
    ])
    expect(headers).toMatchObject({ 'content-type': 'application/pdf', 'x-content-type-options': 'nosniff' })
    expect(headers['set-cookie']).toBeUndefined()

    const csv = `imei,make,model,category,purchase_price\n${newImei()},Apple,iPhone 13,Phone,100`
    expect((await uploadCsv(sender, { csv, name: name.replace(/\.pdf ?$/, '.csv') })).status).toBe(202)
  }
  const kept = await t.rows<{ file_name: string }>('select file_name from import where file_name is not null')
  expect(kept.filter(({ file_name }) => /[/\\\p{Cc}\p{Cf}]|\.\./u.test(file_name))).toEqual([])
  reached('B6', `${names.length} names, of labels and of CSV files: harmless`, 'harmless, valid headers')
})

test('B7: formulas come out inert, and come back as they were', async () => {
  const formulas = [
    '=1+1',
    '+49 1',
    '-2',
    '@SUM(A1)',
    "'=1",
    '＝1',
    '=HYPERLINK("http://evil.test";"x")',
    '=cmd|calc',
    '=a,"b"\n;c',
    'x;=1+1',
    'x\t@1',
    'x|"=1+1"',
  ]
  const csvCell = (text: string) => `"${text.replaceAll('"', '""')}"`
  const supplier = '=Supplier'
  expect((await t.staff.post('/api/supplier/create', { company_name: supplier })).status).toBe(201)
  const header =
    'imei,serial_number,backstock_id,make,model,colour,category,supplier,purchase_price,status,engineer_notes,grading_screen,=box'
  const rows = formulas.map((text, n) =>
    [newImei(), `${text}s${n}`, `${text}b${n}`]
      // Names cannot contain a line break.
      .concat(['make', 'model', 'colour', 'category'].map((name) => text.replace('\n', ' ') + name))
      .concat([supplier, '100', 'In Stock', text, text, text])
      .map(csvCell)
      .join(),
  )
  const entry = await importCsv(t, t.staff, { csv: [header, ...rows].join('\n') })
  expect(entry.content.data).toMatchObject({ successed_rows: formulas.length, failed_rows: 0 })

  const out = (await t.staff.get('/api/stock/export/csv')).raw.toString()
  const cells: string[][] = parse(out, { bom: true, relax_column_count: true })
  expect(cells.length).toBeGreaterThan(formulas.length)
  const run = /^[=+\-@\t\r＝＋－＠]/
  /** The cells that a spreadsheet would run as formulas, at whichever delimiter it splits the file. */
  const running = (table: string[][]) =>
    table
      .flat()
      .filter((cell) => run.test(cell) || cell.split(/[,;|\t\r\n]/).some((part) => /^["\s]*[=+\-@＝＋－＠]/.test(part)))
  expect(running(cells)).toEqual([])
  expect(out).toContain("'=HYPERLINK")

  // The file with the results of an import, also with a row that failed because of such cells.
  const failed = await importCsv(t, t.staff, { csv: `${header}\n${rows[0]!.replace(/^"\d+"/, '"=2+2"')}` })
  expect(failed.content.data.failed_rows).toBe(1)
  for (const { id } of [entry, failed]) {
    const result: string[][] = parse((await t.staff.get(`/api/stock/import/history/${id}/csv`)).raw, { bom: true })
    expect(result.length).toBeGreaterThan(1)
    expect(running(result)).toEqual([])
  }

  const [sold] = (await t.staff.get('/api/stock/find?search=HYPERLINK')).body.data
  const sale = (
    await t.sell(t.staff, [sold.id], { stock_items: [{ id: sold.id, sales_price: 1 }], create_excel: true })
  ).body.data.id
  await runSaleJobs(t, folder)
  const sheet = readSheet((await t.staff.get(`/api/sale/${sale}/excel`)).raw)
  expect(sheet.xml).not.toMatch(/<f[ >]/)
  expect(sheet.rows.flat()).toContain(sold.serial_number) // as text, whatever its first character is
  expect(sold.serial_number).toMatch(run)
  expect((await t.staff.post(`/api/sale/${sale}/edit`, { status: 'Voided' })).status).toBe(200)

  const state = () => t.rows('select to_jsonb(s) as s from stock s order by id')
  const before = await state()
  const logs = await count('log')
  const again = await importCsv(t, t.staff, { csv: out, update_existing: 'true' })
  expect(again.content.data).toMatchObject({ failed_rows: 0 })
  expect(await state()).toEqual(before)
  expect(await count('log')).toBe(logs)
  reached(
    'B7',
    `${formulas.length} formulas in 9 fields: inert in exports, results and sheets, unchanged when they come back`,
    'inert, re-imported unchanged',
  )
})
