// A colleague in a process of its own: imports a file of phones, and meanwhile downloads all items again and again. The
// test's own process measures how long others wait, and reading all that data would falsify its times. Arguments:
// address, email, password, number of phones.
import assert from 'node:assert/strict'
import http from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { phonesFile } from '../cluster/shop.ts'
import { Staff } from './load-staff.ts'

const [address = '', email = '', password = '', phones = ''] = process.argv.slice(2)
const me = new Staff(address)
assert.equal((await me.logIn(email, password)).status, 200)

let isImporting = true
const importing = importPhones().finally(() => {
  isImporting = false
})
let exports = 0
while (isImporting) {
  await download()
  exports++
}
await importing
assert.ok(exports > 0)

async function importPhones(): Promise<void> {
  const { status, body } = await me.call('POST', '/api/stock/import/csv', { body: phonesFile(Number(phones)) })
  assert.equal(status, 202, body.message)
  for (;;) {
    const { data } = (await me.call('GET', '/api/stock/import/csv/status')).body
    if (data.progress === 100) return assert.equal(data.successed_rows, Number(phones))
    await delay(1000)
  }
}

async function download(): Promise<void> {
  const answer = await new Promise<http.IncomingMessage>((resolve, reject) => {
    const options = { headers: me.headers, agent: false }
    http.get(`${address}/api/stock/export/csv`, options, resolve).on('error', reject)
  })
  assert.equal(answer.statusCode, 200)
  // If the connection breaks off, the loop throws.
  for await (const _piece of answer);
}
