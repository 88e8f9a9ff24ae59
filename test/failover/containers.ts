import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { vi } from 'vitest'
import { project } from '../journeys/running-server.ts'

const NAME = 'backstock-failover'
/** A build installs packages, and a replica may have to be copied again. */
const LONG_MS = 900_000

export type Member = { Member: string; Role: string; State: string; TL: number }

/** The parts of `docker inspect` that are needed. */
type Inspected = {
  State: { Pid: number; StartedAt: string }
  RestartCount: number
  NetworkSettings: { Networks: Record<string, { IPAddress: string }> }
}

/** The project's containers. They run from a copy of its files in a folder of their own, with its own compose.yaml. */
export class Containers {
  readonly folder: string
  readonly #environment: NodeJS.ProcessEnv

  constructor(folder: string) {
    this.folder = folder
    this.#environment = { ...process.env, COMPOSE_PROJECT_NAME: NAME, COMPOSE_PROGRESS: 'quiet' }
  }

  /** Copies the files of the project, committed or not. */
  copyProject(): void {
    const { stdout } = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      cwd: project,
      maxBuffer: 10e6,
    })
    const files = stdout.toString().split('\0').filter(Boolean)
    mkdirSync(this.folder, { recursive: true })
    writeFileSync(path.join(this.folder, '.files'), files.join('\n'))
    const tar = 'tar --create --ignore-failed-read --files-from="$1/.files" | tar --extract --directory="$1"'
    const { status, stderr } = spawnSync('bash', ['-c', tar, 'copy', this.folder], { cwd: project })
    if (status !== 0) throw new Error(`The project cannot be copied: ${stderr}`)
  }

  /** Runs commands in the folder of the copy. If one fails, it throws with their output. */
  shell(commands: string): Promise<string> {
    return this.paste(`set -euo pipefail\n${commands}`)
  }
  /** Runs commands like a person who pastes them into a shell: only the status of the last one counts. */
  async paste(commands: string): Promise<string> {
    try {
      const { stdout } = await promisify(execFile)('bash', ['-c', commands], {
        cwd: this.folder,
        env: this.#environment,
        timeout: LONG_MS,
        maxBuffer: 50e6,
      })
      return stdout
    } catch (error) {
      const { stdout, stderr } = error as { stdout?: string; stderr?: string }
      throw new Error(`${commands}\n${stdout ?? ''}${stderr ?? ''}${error}`)
    }
  }

  async inspect(container: string): Promise<Inspected> {
    return JSON.parse(await this.shell(`docker inspect ${container}`))[0]
  }
  /** The name of the only container of a service. */
  of = (service: string) => `${NAME}-${service}-1`
  network = `${NAME}_default`

  async addressOf(service: string): Promise<string> {
    const { NetworkSettings } = await this.inspect(this.of(service))
    return NetworkSettings.Networks[this.network]!.IPAddress
  }

  /** The instances of Backstock: when each was started, and how often it was restarted. */
  async instances(): Promise<Record<string, string>> {
    const ids = (await this.shell('docker compose ps --quiet backstock')).trim().split('\n')
    const found = await Promise.all(
      ids.map(async (id) => {
        const { State, RestartCount } = await this.inspect(id)
        return [id, `${State.StartedAt}, started again ${RestartCount} times`] as const
      }),
    )
    return Object.fromEntries(found)
  }

  /** The database nodes as Patroni lists them, asked at the first node that answers. */
  async members(): Promise<Member[]> {
    for (const service of ['db-1', 'db-2', 'db-3'])
      try {
        const text = await this.shell(`timeout 30 docker compose exec -T ${service} patronictl list --format json`)
        return JSON.parse(text)
      } catch {
        // This node is stopped; ask the next one.
      }
    return []
  }

  async leader(): Promise<string> {
    return vi.waitFor(
      async () => {
        const leader = (await this.members()).find(({ Role, State }) => Role === 'Leader' && State === 'running')
        if (!leader) throw new Error('No node is the leader.')
        return leader.Member
      },
      { timeout: 90_000, interval: 500 },
    )
  }

  /** Resolves once one node leads, and the other two follow it on the same timeline. */
  whole(): Promise<void> {
    return vi.waitFor(
      async () => {
        const members = await this.members()
        const [leader, ...others] = members.toSorted(
          (a, b) => Number(b.Role === 'Leader') - Number(a.Role === 'Leader'),
        )
        const isWhole =
          leader?.Role === 'Leader' &&
          others.length === 2 &&
          others.every(({ State, TL }) => State === 'streaming' && TL === leader.TL)
        if (!isWhole) throw new Error(`Not whole: ${JSON.stringify(members)}`)
      },
      { timeout: 120_000, interval: 500 },
    )
  }

  /** The connection to the node that takes writes, as the shop's own user. */
  async database(password: string): Promise<pg.ClientConfig> {
    const host = await this.addressOf(await this.leader())
    return { host, user: 'backstock', password, database: 'backstock' }
  }

  remove(): Promise<string> {
    return this.shell('docker compose down --volumes --timeout 5')
  }

  /** Removes images that have lost their name to a newer image. */
  removeOldImages(): Promise<string> {
    return this.shell(`docker image prune --force --filter label=com.docker.compose.project=${NAME}`)
  }
}

/** Runs one query on a connection of its own. */
export async function ask<Row extends pg.QueryResultRow>(
  connection: pg.ClientConfig,
  sql: string,
  values?: unknown[],
): Promise<Row[]> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return (await client.query<Row>(sql, values)).rows
  } finally {
    await client.end()
  }
}
