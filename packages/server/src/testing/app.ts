import type { Role } from '@backstock/contract/role.ts'
import type { InjectOptions } from 'fastify'
import { buildApp } from '../app.ts'
import { type Config, readConfig } from '../config.ts'
import { type ConnectOptions, connect, type Database } from '../db/connect.ts'
import type { App } from '../http/typed-routes.ts'
import { recordChanges } from '../records/log/write.ts'
import { testDatabase } from './database.ts'
import { PASSWORD, QUICK_HASH } from './quick-hash.ts'

export { PASSWORD }

// biome-ignore lint/suspicious/noExplicitAny: a test reads into answers of every shape
export type Answer = { status: number; body: any; headers: Record<string, unknown>; raw: Buffer }
export type Client = {
  id: number
  email: string
  send(options: InjectOptions): Promise<Answer>
  get(url: string, headers?: Record<string, string>): Promise<Answer>
  post(url: string, body?: object, headers?: Record<string, string>): Promise<Answer>
  put(url: string, body?: object, headers?: Record<string, string>): Promise<Answer>
  patch(url: string, body?: object, headers?: Record<string, string>): Promise<Answer>
  delete(url: string, headers?: Record<string, string>): Promise<Answer>
}

/**
 * Starts the whole server on a database of its own. `user()` makes a user and logs in; the password's hash is a quick
 * one.
 */
export async function testApp(
  settings: Partial<Config> = {},
  pools: ConnectOptions = { readers: 5, writers: 30 },
): Promise<{
  db: Database
  app: App
  config: Config
  connection: import('pg').ClientConfig
  user(role?: Role, passwordHash?: string): Promise<Client>
  close(): Promise<void>
}> {
  const database = await testDatabase()
  const config: Config = { ...readConfig({ LOG_LEVEL: 'silent' }), ...settings }
  const db = connect(database.connection, pools)
  const app = await buildApp(config, db)
  let users = 0
  return {
    db,
    app,
    config,
    connection: database.connection,
    async user(role = 'ROLE_USER', passwordHash = QUICK_HASH) {
      const email = `${role.toLowerCase()}${++users}@backstock.test`
      const user = { name: `Person ${users}`, email, role }
      const id = await db.write(async (tx) => {
        const { id } = await tx
          .insertInto('app_user')
          .values({ ...user, password_hash: passwordHash })
          .returning('id')
          .executeTakeFirstOrThrow()
        await recordChanges(tx, { userId: null }, 'User', id, null, user)
        return id
      })
      return logIn(app, id, email, PASSWORD)
    },
    async close() {
      await app.close()
      await db.close()
      await database.drop()
    },
  }
}

/** Logs in as the screens do. Returns a client that keeps the cookies. */
export async function logIn(app: App, id: number, email: string, password: string): Promise<Client> {
  const cookies: Record<string, string> = {}
  async function send(options: InjectOptions): Promise<Answer> {
    const response = await app.inject({
      ...options,
      cookies: { ...cookies },
      headers: { 'x-xsrf-token': cookies['XSRF-TOKEN'] ?? '', ...options.headers },
    })
    for (const { name, value } of response.cookies) cookies[name] = value
    const isJson = String(response.headers['content-type'] ?? '').includes('json')
    return {
      status: response.statusCode,
      body: isJson && response.body ? response.json() : response.body,
      headers: response.headers,
      raw: response.rawPayload,
    }
  }
  const withBody =
    (method: 'POST' | 'PUT' | 'PATCH') =>
    (url: string, body: object = {}, headers: Record<string, string> = {}) =>
      send({ method, url, payload: body, headers })
  await send({ method: 'GET', url: '/api/auth' })
  const answer = await send({ method: 'POST', url: '/api/login', payload: { username: email, password } })
  if (answer.status !== 200) throw new Error(`Could not log in: ${JSON.stringify(answer.body)}`)
  return {
    id,
    email,
    send,
    get: (url, headers = {}) => send({ method: 'GET', url, headers }),
    post: withBody('POST'),
    put: withBody('PUT'),
    patch: withBody('PATCH'),
    delete: (url, headers = {}) => send({ method: 'DELETE', url, headers }),
  }
}
