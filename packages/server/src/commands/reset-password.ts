import { sql } from 'kysely'
import { generatePassword } from '../areas/user/user.ts'
import { readConfig } from '../config.ts'
import { connect } from '../db/connect.ts'
import { migrate } from '../db/migrate.ts'
import { endSessionsOf } from '../http/session.ts'
import { forgetTries } from '../http/throttle.ts'
import { recordMessage } from '../records/log/write.ts'
import { hashPassword } from '../records/password.ts'
import { openDatabase } from '../start/open-database.ts'

/** `npm run reset-password -- EMAIL` gives a user a new password, prints it, and ends all of the user's sessions. */
async function resetPassword(email: string | undefined): Promise<string> {
  if (!email) throw new Error('Name the account: npm run reset-password -- EMAIL')
  const { connection, stop } = await openDatabase(readConfig(), (line) => process.stderr.write(`${line}\n`))
  const db = connect(connection)
  try {
    await migrate(connection)
    const password = generatePassword()
    const password_hash = await hashPassword(password)
    return await db.write(async (tx) => {
      const user = await tx
        .updateTable('app_user')
        .set({ password_hash })
        .where(sql<string>`lower(email)`, '=', email.trim().toLowerCase())
        .where('deleted_at', 'is', null)
        .returning(['id', 'email'])
        .executeTakeFirst()
      if (!user) throw new Error(`There is no user with the email ${email}.`)
      await endSessionsOf(tx, user.id)
      await forgetTries(tx, `login:${user.email.toLowerCase()}`)
      await recordMessage(tx, {}, 'User', user.id, 'The password was reset on the server.')
      return `The new password of ${user.email} is ${password}`
    })
  } finally {
    await db.close()
    await stop()
  }
}

resetPassword(process.argv[2]).then(
  (line) => process.stdout.write(`${line}\n`),
  (error: Error) => {
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  },
)
