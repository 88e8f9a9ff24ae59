import { sql } from 'kysely'
import { createUser, generatePassword } from '../areas/user/user.ts'
import type { Config } from '../config.ts'
import type { Database, Tx } from '../db/connect.ts'

/**
 * If the database has no users, creates the first administrator and returns the login; undefined if there are users.
 * Several instances may start at once: one creates the administrator, and the others wait for that, even on a slow
 * machine. If there are users already, nobody waits.
 */
export function firstAdministrator(
  db: Database,
  config: Config,
): Promise<{ email: string; password: string } | undefined> {
  return db.write(async (tx) => {
    if (await hasUsers(tx)) return undefined
    await sql`set local lock_timeout = 0`.execute(tx)
    await sql`lock table app_user in share row exclusive mode`.execute(tx)
    if (await hasUsers(tx)) return undefined
    const email = config.adminEmail ?? 'admin@backstock.test'
    const password = config.adminPassword ?? generatePassword()
    await createUser(tx, { name: 'Administrator', email, role: 'ROLE_ADMIN', password }, { userId: null })
    return { email, password }
  })
}

async function hasUsers(tx: Tx): Promise<boolean> {
  return (await tx.selectFrom('app_user').select('id').limit(1).executeTakeFirst()) !== undefined
}
