import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { afterAll, expect, onTestFinished, vi } from 'vitest'
import { connect } from '../../packages/server/src/db/connect.ts'
import { connectionTo } from '../../packages/server/src/db/embedded/server-process.ts'
import { allowed } from '../../packages/server/src/testing/allowed.ts'
import { contradictionsIn } from '../../packages/server/src/testing/contradictions.ts'
import { testInTurn } from '../../packages/server/src/testing/in-turn.ts'
import { openShop, stockItems } from '../../packages/server/src/testing/shop.ts'
import { type Answer, Person } from '../cluster/person.ts'
import { ADMIN, newDataDir, removeDataDir, startServer } from '../journeys/running-server.ts'
import { onePagePdf } from './fake-files.ts'
import { saleOf, slowest } from './faults-shop.ts'
import { reached, turns } from './figures.ts'
import { range } from './shop.ts'

// Promise F6 of docs/promises.md: all that Backstock writes is on a disk that fills up.
const ASKED = 'writes 507, reads and /readyz 200; serves again within 30 s of space returning'
const AGAIN_MS = 30_000
/** Larger than the free space inside the database's own files, so that storing it needs new space. */
const PDF = Buffer.concat([onePagePdf(), Buffer.alloc(1024 * 1024, '%')])

const disk = newDataDir()
const dataDir = `${disk}/data`
const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=200m,mode=777', 'tmpfs', disk]).status === 0
afterAll(() => {
  if (isMounted) spawnSync('umount', [disk])
  removeDataDir(disk)
})

/** Stops the embedded PostgreSQL. Usually the server does that, but a failed test kills the server. */
async function endDatabase(): Promise<void> {
  const file = `${dataDir}/pg18/postmaster.pid`
  if (!existsSync(file)) return
  process.kill(Number.parseInt(readFileSync(file, 'utf8'), 10), 'SIGQUIT')
  await vi.waitFor(() => expect(existsSync(file)).toBe(false), { timeout: 60_000 })
}

/** Fills the disk with files until no byte is free. */
function fill(): void {
  for (const size of [1024 * 1024, 4096, 1]) {
    const file = openSync(`${disk}/filler-${size}`, 'a')
    try {
      for (const bytes = Buffer.alloc(size); writeSync(file, bytes) === size; );
    } catch (error) {
      expect(error).toMatchObject({ code: 'ENOSPC' })
    } finally {
      closeSync(file)
    }
  }
}

function free(): void {
  for (const size of [1024 * 1024, 4096, 1]) rmSync(`${disk}/filler-${size}`, { force: true })
}

testInTurn(
  'F6: a full disk is said clearly, and all goes on once there is space',
  { timeout: 600_000 },
  async ({ skip }) => {
    if (!isMounted) {
      reached('F6', 'not run: no file system may be mounted here', ASKED)
      skip()
    }
    const server = await startServer(dataDir, { LOG_LEVEL: 'fatal', TMPDIR: disk })
    onTestFinished(async () => {
      await server.kill()
      await endDatabase()
    })
    const database = connectionTo(`${dataDir}/pg18`)
    const db = connect(database, { readers: 1, writers: 1 })
    const shop = await openShop(db)
    const person = new Person(server.address)
    await person.logIn(ADMIN.email, ADMIN.password)
    const newItems = (n: number) => stockItems(db, shop, n)

    const edit = (item: number, engineer_notes: string) =>
      person.call(`/api/stock/${item}/edit`, { method: 'POST', body: { engineer_notes } })
    const upload = () => {
      const form = new FormData()
      form.set('csv', new Blob([`serial_number,make,model,purchase_price\n${'x'.repeat(2_000_000)},a,b,1\n`]), 'a.csv')
      return person.call('/api/stock/import/csv', { method: 'POST', body: form })
    }
    const attach = (sale: number) => {
      const form = new FormData()
      form.set('shipping_label', new Blob([PDF], { type: 'application/pdf' }), 'label.pdf')
      return person.call(`/api/sale/${sale}/pdf`, { method: 'POST', body: form })
    }

    const again: number[] = []
    const refused: Answer[] = []
    const rounds = turns(1, 5)
    for (const round of range(rounds)) {
      const items = await newItems(40)
      const sold = await person.call('/api/sale/create', { method: 'POST', body: saleOf(shop, [items[0]!]) })
      expect(sold.status).toBe(201)
      expect((await attach(sold.body.data.id)).status).toBe(200)
      fill()
      const answers = [await upload(), await attach(sold.body.data.id)]
      for (const item of items) answers.push(await edit(item, `${round} `.repeat(4000)))
      answers.push(
        await person.call('/api/sale/create', {
          method: 'POST',
          body: saleOf(shop, items.slice(1, 3)),
          key: `full-${round}`,
        }),
      )
      for (const { status, body } of answers) {
        expect([200, 201, 507]).toContain(status)
        if (status >= 500) expect(body).toMatchObject({ success: false, message: expect.stringContaining('space') })
      }
      // The loop lasts more than a second, because the server keeps its last answer to /readyz for one second.
      for (const began = performance.now(); performance.now() - began < 1500; ) {
        const [list, ready] = [await person.call('/api/stock/find'), await person.call('/readyz')]
        expect([list.status, ready.status]).toEqual([200, 200])
      }
      const full = answers.filter(({ status }) => status >= 500)
      // The first request writes into the database, the others also into the folder for uploads.
      expect(answers[0]!.status).toBe(507)
      expect(answers.slice(1).map(({ status }) => status)).toContain(507)
      refused.push(...full)
      free()
      const freed = performance.now()
      await vi.waitFor(async () => expect((await edit(items[5]!, 'again')).status).toBe(200), {
        timeout: 60_000,
        interval: 50,
      })
      again.push(performance.now() - freed)
      const retried = await person.call('/api/sale/create', {
        method: 'POST',
        body: saleOf(shop, items.slice(1, 3)),
        key: `full-${round}`,
      })
      expect(retried.status).toBe(201)
      expect(String((await upload()).status)).toMatch(/^[234]/)
    }
    expect(slowest(again)).toBeLessThan(allowed(AGAIN_MS))
    expect(await contradictionsIn(database)).toEqual([])
    await db.close()
    await server.stop()
    reached(
      'F6',
      `${rounds} times full: ${refused.length} writes 507, every read 200, /readyz 200; again after ${slowest(again)} ms`,
      ASKED,
    )
  },
)
