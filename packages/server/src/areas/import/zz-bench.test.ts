import { luhnCheckDigit } from '@backstock/contract/imei.ts'
import pg from 'pg'
import { expect, test } from 'vitest'
import { testApp } from '../../testing/app.ts'
import { applyNextPart, nothingApplied } from './apply-part.ts'

const times = new Map<string, [number, number]>()
const orig = pg.Client.prototype.query as any
;(pg.Client.prototype as any).query = function (this: any, ...args: any[]) {
  const text = (typeof args[0] === 'string' ? args[0] : (args[0].text ?? '?')).replace(/\s+/g, ' ').slice(0, 70)
  const t0 = performance.now()
  const end = () => {
    const e = times.get(text) ?? [0, 0]
    e[0]++
    e[1] += performance.now() - t0
    times.set(text, e)
  }
  const cb = args[args.length - 1]
  if (typeof cb === 'function')
    args[args.length - 1] = (...a: any[]) => {
      end()
      cb(...a)
    }
  const r = orig.apply(this, args)
  if (r?.then) r.then(end, end)
  return r
}
const dump = () => {
  console.log(
    [...times]
      .sort((a, b) => b[1][1] - a[1][1])
      .slice(0, 14)
      .map(([k, v]) => `${Math.round(v[1])}ms ${v[0]}x ${k}`)
      .join('\n'),
  )
  times.clear()
}
test('bench', async () => {
  const t = await testApp()
  const user = await t.user()
  await t.db.pool.query(`insert into supplier (company_name) select 'Supplier ' || g from generate_series(0,9) g`)
  await t.db.pool.query(`insert into vat (name, rate) values ('Standard', 2100)`)
  const N = 100_000
  const rows = Array.from({ length: N }, (_, n) => {
    const f = `35${String(Math.floor(Math.random() * 1e6)).padStart(6, '0')}${String(n).padStart(6, '0')}`
    return `${f}${luhnCheckDigit(f)},SN${Math.random().toString(36).slice(2, 12).toUpperCase()},BS-${n},In Stock,Apple,iPhone ${n % 50},128,GB,${['Black', 'White', 'Blue'][n % 3]},Phones,Supplier ${n % 10},${100 + (n % 400)}.90,EUR,2026-01-0${1 + (n % 9)},${200 + (n % 400)}.50,EUR,Standard,false,Some notes ${n},A,B`
  })
  const csv = `imei,serial_number,backstock_id,status,make,model,capacity,capacity_unit,colour,category,supplier,purchase_price,purchase_currency,purchase_date,sales_price,sales_currency,vat,network_locked,engineer_notes,grading_screen,box\n${rows.join('\n')}\n`
  const b = 'x'
  const go = async (csv: string, upd: string) => {
    const payload = Buffer.from(
      `--${b}\r\nContent-Disposition: form-data; name="update_existing"\r\n\r\n${upd}\r\n--${b}\r\nContent-Disposition: form-data; name="csv"; filename="a.csv"\r\nContent-Type: text/csv\r\n\r\n${csv}\r\n--${b}--\r\n`,
    )
    const t0 = performance.now()
    const cpu0 = process.cpuUsage()
    const a = await user.send({
      method: 'POST',
      url: '/api/stock/import/csv',
      payload,
      headers: { 'content-type': `multipart/form-data; boundary=${b}` },
    })
    expect(a.status).toBe(202)
    const t1 = performance.now()
    const cpu1 = process.cpuUsage(cpu0)
    const applied = nothingApplied()
    const c2 = process.cpuUsage()
    while (await applyNextPart(t.db, a.body.data.import_id, applied, t.app.log));
    const t2 = performance.now()
    const cpu2 = process.cpuUsage(c2)
    const s = (await user.get('/api/stock/import/csv/status')).body.data
    console.log(
      upd,
      'bytes',
      payload.length,
      'stage',
      Math.round(t1 - t0),
      'cpu',
      Math.round(cpu1.user / 1000),
      'apply',
      Math.round(t2 - t1),
      'cpu',
      Math.round(cpu2.user / 1000),
      JSON.stringify(s),
      'rows/s',
      Math.round((N / (t2 - t0)) * 1000),
      'rss',
      Math.round(process.memoryUsage().rss / 1e6),
    )
  }
  await go(csv, 'false')
  dump()
  await go(csv, 'true')
  dump()
  await go(csv.replaceAll('.50,EUR', '.70,EUR'), 'true')
  dump()
  await t.close()
}, 300_000)
