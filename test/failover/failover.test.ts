import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { violationsIn } from '../../packages/server/src/invariants/check.ts'
import { expectExactSales } from '../cluster/exact-sales.ts'
import { Person } from '../cluster/person.ts'
import { Selling } from '../cluster/selling.ts'
import { addCustomer, phonesFile } from '../cluster/shop.ts'
import { newDataDir, project, removeDataDir } from '../journeys/running-server.ts'
import { ask, Containers } from './containers.ts'
import { printedSteps } from './steps.ts'

// Runs the containers of compose.yaml with the commands that docs/operations.md prints, and then causes every fault
// while items are sold.
const PHONES = 8_000
/** The number of sellers, and how long each waits between two sales. */
const HANDS = 4
const REST_MS = 250
/** After any death, requests are refused for at most this long. */
const BACK_S = 30
/** The longest pause if the primary does not need the node that dies. */
const UNMISSED_S = 6

const PORT = 18_480
const PASSWORD = 'correct-horse'
const page = path.join(project, 'docs/operations.md')

/**
 * Starts a container engine. Status 3 says that there is none on this machine. Any other status is a fault, and so is
 * taking longer than an hour.
 */
const engine = spawnSync('bash', ['test/failover/engine.sh'], { cwd: project, encoding: 'utf8', timeout: 3_600_000 })
if (engine.status !== 0 && engine.status !== 3)
  throw new Error(`engine.sh ended with ${engine.status}: ${engine.stdout}${engine.stderr}${engine.error ?? ''}`)
const isThere = engine.status === 0
/** Whether engine.sh has built stand-ins of the images. They are in no registry, so the steps' `--pull` would fail. */
const areStandIns = engine.stdout.includes('stand-ins')
console.log(isThere ? engine.stdout.trim() : `The failover was not run: ${engine.stdout.trim()}.`)

const home = newDataDir()
const shop = new Containers(path.join(home, 'backstock'))
const address = `http://127.0.0.1:${PORT}`
const figures: string[] = []

/** The steps below a heading of the page, with values in place of those that a person fills in. */
const steps = (heading: string) => printedSteps(page, heading).map((block) => filledIn(block))

function filledIn(block: string): string {
  const values: Record<string, string> = {
    PUBLIC_URL: address,
    ADMIN_EMAIL: 'admin@shop.test',
    ADMIN_PASSWORD: `'${PASSWORD}'`,
    SMTP_URL: `'smtp://127.0.0.1:1'`,
  }
  const printed = areStandIns ? block.replaceAll(' --pull', '') : block
  return Object.entries(values).reduce(
    (text, [name, value]) => text.replace(new RegExp(`^${name}=.*$`, 'm'), `${name}=${value}`),
    printed,
  )
}

/** Runs the steps below a heading of the page, block by block, like a person who pastes them. */
async function take(heading: string): Promise<void> {
  for (const step of steps(heading)) await shop.paste(step)
}

const isReady = async () => (await fetch(`${address}/readyz`).catch(() => undefined))?.status === 200
const ready = () =>
  vi.waitFor(
    async () => {
      if (!(await isReady())) throw new Error('No instance is ready.')
    },
    { timeout: 300_000, interval: 500 },
  )
async function database() {
  const password = (await shop.shell('. ./.env; echo $POSTGRES_PASSWORD')).trim()
  return shop.database(password)
}
/** Makes db-1 the leader, because the steps in docs/operations.md assume that. */
async function letDb1Lead(): Promise<void> {
  if ((await shop.leader()) !== 'db-1')
    await shop.shell('docker compose exec -T db-2 patronictl switchover --force --candidate db-1')
  await shop.whole()
}

async function loggedIn(): Promise<Person> {
  const person = new Person(address)
  expect(await person.logIn('admin@shop.test', PASSWORD)).toMatchObject({ status: 200 })
  return person
}

async function importPhones(person: Person, from: number, phones: number, key: string): Promise<number> {
  const body = phonesFile(phones, from)
  for (;;) {
    const answer = await person.call('/api/stock/import/csv', { method: 'POST', body, key })
    if (answer.status === 202) return answer.body.data.import_id
    if (answer.status !== 503) throw new Error(`${answer.status}: ${answer.body.message}`)
    await delay(200)
  }
}
const imported = (person: Person, id: number, phones: number) =>
  vi.waitFor(
    async () => {
      const { body } = await person.call(`/api/stock/import/history?id=${id}`)
      expect(body.data[0].content.data).toMatchObject({ successed_rows: phones, failed_rows: 1 })
    },
    { timeout: 300_000, interval: 500 },
  )

beforeAll(async () => {
  if (!isThere) return
  shop.copyProject()
  const [settings, start] = steps('With containers')
  await shop.paste(settings!)
  await shop.shell(`echo 'PUBLIC_PORT=127.0.0.1:${PORT}' >> .env`)
  await shop.remove()
  const started = performance.now()
  // One of the volumes is in the state in which the old image made it: its entrypoint creates `18` as root, and the
  // folders below it belong to PostgreSQL.
  const old = '/var/lib/postgresql/18'
  const oldVolume = `install --directory --mode=0755 ${old} && install --directory --owner=postgres --mode=0700 ${old}/docker`
  await shop.shell(
    `docker compose build db-1\ndocker compose run --rm --no-deps -T --user root db-1 bash -c '${oldVolume}'`,
  )
  await shop.paste(start!)
  await ready()
  await shop.whole()
  expect((await shop.shell(`docker compose exec -T db-1 stat --format '%U %a' ${old}`)).trim()).toBe('root 755')
  const versions = [
    'db-1 patroni --version',
    'db-1 /usr/lib/postgresql/18/bin/postgres --version',
    'db-1 etcd --version',
    'balancer haproxy -v',
  ]
  for (const command of versions) figures.push((await shop.shell(`docker compose exec -T ${command}`)).split('\n')[0]!)
  figures.push(`Built and started from empty: ${Math.round((performance.now() - started) / 1000)} s`)
}, 1_800_000)
afterAll(async () => {
  if (isThere) {
    await shop.remove()
    await shop.removeOldImages()
    spawnSync('bash', ['test/failover/engine.sh', 'stop'], { cwd: project, timeout: 120_000 })
  }
  removeDataDir(home)
  if (figures.length) console.log(figures.join('\n'))
}, 300_000)

const whenThere = test.skipIf(!isThere)

whenThere(
  'nodes die, hang and are cut off under sales and an import: nothing is lost, nothing is there twice',
  {
    timeout: 1_800_000,
  },
  async () => {
    const person = await loggedIn()
    const customer = await addCustomer(person)
    await imported(person, await importPhones(person, 0, PHONES, 'first'), PHONES)
    const items = await ask<{ id: number }>(await database(), 'select id from stock order by id')
    const before = await shop.instances()
    expect(Object.keys(before)).toHaveLength(3)
    const seller = await loggedIn()
    const ids = items.map(({ id }) => id)
    const selling = new Selling(seller, ids, customer, HANDS, { rest: REST_MS, mails: false })
    // The sales stop even if the test fails, because later tests count sales.
    onTestFinished(() => selling.stop().catch(() => undefined))

    /** Causes a fault, waits until the nodes are whole again, and reports for how long no sale was decided. */
    const under = async (fault: string, most: number, act: () => Promise<unknown>) => {
      const from = performance.now()
      await Promise.race([act(), selling.failed])
      await shop.whole()
      await Promise.race([delay(3000), selling.failed])
      const pause = selling.longestPause(from, performance.now())
      figures.push(`${fault}: ${pause.toFixed(1)} s without a sale decided`)
      expect(pause, fault).toBeLessThan(most)
    }
    const inNode = (node: string, command: string) => shop.shell(`docker compose exec -T ${node} bash -c '${command}'`)
    const othersThan = (node: string) => ['db-1', 'db-2', 'db-3'].filter((one) => one !== node)
    /** Kills nodes at the same moment, and keeps the engine from restarting them. */
    const killed = async (nodes: string[]) => {
      const containers = nodes.map((node) => shop.of(node))
      await shop.shell(`docker update --restart no ${containers.join(' ')}`)
      const dying = await Promise.all(containers.map((container) => shop.inspect(container)))
      for (const { State } of dying) process.kill(State.Pid, 'SIGKILL')
    }
    const startedAgain = async (nodes: string[]) => {
      const containers = nodes.map((node) => shop.of(node)).join(' ')
      await shop.shell(`docker update --restart unless-stopped ${containers}\ndocker start ${containers}`)
    }
    const paused = async (node: string, seconds: number) => {
      await shop.shell(`docker pause ${shop.of(node)}`)
      await delay(seconds * 1000)
      await shop.shell(`docker unpause ${shop.of(node)}`)
    }

    await delay(3000)
    await under('Switchover', BACK_S, () => take('Before work on a node'))
    await under('kill -9 of PostgreSQL', BACK_S, async () =>
      inNode(await shop.leader(), 'kill -9 $(head --lines=1 $PATRONI_POSTGRESQL_DATA_DIR/postmaster.pid)'),
    )
    await letDb1Lead()
    await under('The leader is killed by hand, for 30 s', BACK_S, () => take('Try a failover'))
    // A second file with as many phones: the database dies during its import.
    const doomed = await database()
    const { Pid } = (await shop.inspect(shop.of(await shop.leader()))).State
    const second = await importPhones(person, PHONES, PHONES, 'second')
    const doneParts = async () => {
      const parts = 'select count(*)::int as n from import_part where import_id = $1 and done_at is not null'
      return (await ask<{ n: number }>(doomed, parts, [second]))[0]!.n
    }
    await under('kill -9 of the whole node', BACK_S, async () => {
      await vi.waitFor(async () => expect(await doneParts()).toBeGreaterThan(0), { timeout: 60_000, interval: 50 })
      const done = await doneParts()
      process.kill(Pid, 'SIGKILL')
      // So many parts must be left that the server cannot finish them before the kill.
      expect(done).toBeLessThan(PHONES / 1000 - 2)
      figures.push(`The import's database died after ${done} of ${PHONES / 1000 + 1} parts`)
      await delay(2000)
    })
    await imported(person, second, PHONES)
    await under('The node hangs for 35 s', BACK_S, async () => paused(await shop.leader(), 35))
    await under('The node is cut off for 35 s', BACK_S, async () => {
      const node = await shop.leader()
      await shop.shell(`docker network disconnect ${shop.network} ${shop.of(node)}`)
      await delay(35_000)
      await shop.shell(`docker network connect --alias ${node} ${shop.network} ${shop.of(node)}`)
    })
    await under('A replica hangs for 25 s', UNMISSED_S, async () => {
      const [replica] = othersThan(await shop.leader())
      await paused(replica!, 25)
    })
    await under('One etcd hangs for 25 s', UNMISSED_S, () => paused('etcd-1', 25))
    await under('All etcd hang for 25 s', UNMISSED_S, () =>
      Promise.all(['etcd-1', 'etcd-2', 'etcd-3'].map((node) => paused(node, 25))),
    )
    await under('Both replicas die for 25 s', BACK_S, async () => {
      const replicas = othersThan(await shop.leader())
      await killed(replicas)
      await delay(25_000)
      await startedAgain(replicas)
    })

    // The third node may lack sales that the two others have acknowledged. It must wait for one of them, here for the
    // replica.
    const primary = await shop.leader()
    const [replica] = othersThan(primary)
    await killed([primary, replica!])
    const gone = performance.now()
    await Promise.race([delay(25_000), selling.failed])
    // By then all answers that were under way have arrived.
    const settled = gone + 5000
    expect(selling.count(settled, performance.now(), (status) => status === 201)).toBe(0)
    expect(selling.count(settled, performance.now(), (status) => status === 503)).toBeGreaterThan(0)
    await under('Primary and replica die; the replica is back after 25 s', BACK_S, async () => {
      await startedAgain([replica!])
      const next = await shop.leader()
      expect(next).not.toBe(primary)
      await delay(3000)
      await startedAgain([primary])
    })

    await selling.stop()
    const connection = await database()
    const query = <Row extends object>(sql: string) => ask<Row>(connection, sql)
    const acknowledged = await expectExactSales({ query, connection }, person, selling)
    const refused = selling.count(0, Number.POSITIVE_INFINITY, (status) => status === 503)
    figures.push(`${acknowledged} sales acknowledged, ${refused} answers 503, nothing else; no instance started again`)
    expect(await shop.instances()).toEqual(before)
    const counts = 'select count(*)::int as items, count(distinct imei)::int as phones from stock'
    expect(await query(counts)).toEqual([{ items: 2 * PHONES, phones: 2 * PHONES }])
  },
)

whenThere('what describes the containers is understood whole', { timeout: 300_000 }, async () => {
  // Compose refuses unknown keys, and writes unset variables to stderr.
  expect(await shop.shell('docker compose config --quiet 2>&1')).toBe('')
  const config = '/usr/local/etc/haproxy/haproxy.cfg'
  const said = await shop.shell(`docker compose run --rm --no-deps -T balancer haproxy -c -f ${config} 2>&1`)
  expect(said).not.toMatch(/warning|alert/i)
})

whenThere('a setting reaches all instances, and the nodes are left alone', { timeout: 300_000 }, async () => {
  const started = async () => {
    const nodes = ['db-1', 'db-2', 'db-3', 'etcd-1', 'etcd-2', 'etcd-3']
    return Promise.all(nodes.map(async (node) => (await shop.inspect(shop.of(node))).State.StartedAt))
  }
  const before = await started()
  const old = Object.keys(await shop.instances())
  await shop.shell("echo 'MAIL_FROM=sales@shop.test' >> .env")
  const [, , changed] = steps('With containers')
  await shop.paste(changed!)
  await ready()
  const now = Object.keys(await shop.instances())
  expect(now).toHaveLength(3)
  expect(now.filter((id) => old.includes(id))).toEqual([])
  // Starting all services again changes nothing.
  await shop.shell('docker compose up -d')
  expect(await started()).toEqual(before)
})

whenThere('more instances, and a new version of them, without a request that fails', { timeout: 900_000 }, async () => {
  const person = await loggedIn()
  let isOver = false
  const asked = (async () => {
    for (let n = 0; !isOver; n++) {
      const { status } = await person.call('/api/stock/find?per_page=10')
      expect([n, status]).toEqual([n, 200])
      await delay(100)
    }
  })()
  const doing = (async () => {
    await take('More instances')
    expect(Object.keys(await shop.instances())).toHaveLength(5)
    const old = Object.keys(await shop.instances())
    await take('A new version of Backstock')
    const now = Object.keys(await shop.instances())
    expect(now).toHaveLength(5)
    expect(now.filter((id) => old.includes(id))).toEqual([])
    isOver = true
  })()
  await Promise.all([asked, doing])
})

whenThere(
  'a node and an etcd are made anew, all take another setting and a minor version',
  { timeout: 1_200_000 },
  async () => {
    const headings = ['A node beyond repair', 'An etcd beyond repair', 'Another setting of PostgreSQL']
    for (const heading of [...headings, 'A minor version of PostgreSQL']) {
      await letDb1Lead()
      for (const step of steps(heading)) {
        await shop.paste(step)
        await shop.whole()
      }
    }
    for (const node of ['db-1', 'db-2', 'db-3']) {
      const connection = { ...(await database()), host: await shop.addressOf(node) }
      expect(await ask(connection, 'show max_connections')).toEqual([{ max_connections: '800' }])
    }
    expect(await (await loggedIn()).call('/api/auth')).toMatchObject({ status: 200 })
  },
)

whenThere('a backup is restored into the same nodes', { timeout: 900_000 }, async () => {
  const [backup, bringIn, restore] = steps('In containers')
  await shop.paste(backup!)
  await shop.shell('docker compose exec -T backup rm /backups/tonight.bsb')
  await shop.paste(bringIn!)
  const tables = async () =>
    ask(await database(), 'select (select count(*) from sale) as sales, (select count(*) from colour) as colours')
  const before = await tables()
  await (await loggedIn()).call('/api/colour/create', { method: 'POST', body: { name: 'Of tomorrow' } })
  expect(await tables()).not.toEqual(before)
  await shop.paste(restore!)
  await ready()
  expect(await tables()).toEqual(before)
  expect(await violationsIn(await database())).toEqual([])
})
