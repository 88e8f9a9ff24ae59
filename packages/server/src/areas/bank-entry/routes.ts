import { writeAnswer } from '@backstock/contract/answer.ts'
import {
  BankEntry,
  BankEntryQuery,
  BankFileRead,
  BookEntriesInput,
  BookedEntries,
  SetAsideInput,
} from '@backstock/contract/bank-entry.ts'
import { someSentences } from '@backstock/contract/some-of.ts'
import { z } from 'zod'
import type { Database } from '../../db/connect.ts'
import { done, warned } from '../../http/answer.ts'
import { type Crud, crud, found, IdParams } from '../../http/crud.ts'
import { onceByActor } from '../../http/idempotency.ts'
import { FORM, ownBody } from '../../http/openapi.ts'
import { BODY } from '../../http/read-bodies.ts'
import { actorOf } from '../../http/session.ts'
import type { App } from '../../http/typed-routes.ts'
import { bookEntries, setAside } from './book.ts'
import { entryOf, findEntries } from './queries.ts'
import { readBankUpload } from './read/read-upload.ts'
import { pendingWords, takeIn } from './take-in.ts'

const NoInput = z.object({})
const admin = { config: { access: 'admin' as const } }

/** The reading routes of entries. Nobody creates or edits an entry, because entries come only from bank files. */
const bankEntry: Crud<typeof BankEntryQuery, typeof NoInput, typeof BankEntry> = {
  area: 'bank-entry',
  title: 'Bank entry',
  query: BankEntryQuery,
  input: NoInput,
  row: BankEntry,
  record: BankEntry,
  access: { read: 'admin' },
  find: findEntries,
  one: entryOf,
}

const some = (count: number, one: string, many: string) => `${count.toLocaleString('en')} ${count === 1 ? one : many}`

/** The routes under `/api/bank-entry`, all for administrators. */
export function bankEntryRoutes(app: App, db: Database): void {
  crud(app, db, bankEntry)
  app.post(
    '/api/bank-entry/file',
    {
      ...admin,
      schema: {
        ...ownBody(z.object({ file: z.string().meta({ format: 'binary' }) }), FORM),
        response: { 200: writeAnswer(BankFileRead) },
      },
    },
    async (request) => {
      const upload = await readBankUpload(request)
      const { id } = actorOf(request)
      const read = await db.write((tx) => takeIn(tx, upload, id))
      const message = `${some(read.taken, 'entry', 'entries')} imported.`
      const left = [
        read.repeated > 0 && `${some(read.repeated, 'other was', 'others were')} imported already.`,
        read.in_several > 0 &&
          `Several statements of the ZIP have ${some(read.in_several, 'entry', 'entries')} in common.`,
        read.not_booked > 0 && pendingWords(read.not_booked),
      ].filter(Boolean)
      return left.length > 0 ? warned([message, ...left].join(' '), read) : done(message, read)
    },
  )
  app.post(
    '/api/bank-entry/book',
    {
      ...admin,
      schema: { body: BookEntriesInput, response: { 200: writeAnswer(BookedEntries) } },
      bodyLimit: BODY.list,
    },
    async (request) => {
      const { id } = actorOf(request)
      const input = request.body
      const { answer } = await onceByActor(db, request, `bank-entry/book ${JSON.stringify(input)}`, async (tx) => {
        const { warnings, ...booked } = await bookEntries(tx, input, { userId: id })
        const message = `${some(booked.payments, 'payment', 'payments')} booked.`
        const more = warnings.length > 0 ? ` ${someSentences(warnings)}` : ''
        return { status: 200, answer: more ? warned(message + more, booked) : done(message, booked) }
      })
      return answer
    },
  )
  app.post(
    '/api/bank-entry/:id/set-aside',
    { ...admin, schema: { params: IdParams, body: SetAsideInput, response: { 200: writeAnswer(BankEntry) } } },
    async (request) => {
      const { id } = request.params
      const { is_aside } = request.body
      const author = { userId: actorOf(request).id }
      const entry = await db.write(async (tx) => {
        await setAside(tx, id, request.body, author)
        return found(await entryOf(tx, id), `Bank entry #${id}`)
      })
      return done(is_aside ? `Bank entry #${id} set aside.` : `Bank entry #${id} can be booked again.`, entry)
    },
  )
}
