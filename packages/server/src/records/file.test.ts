import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect, type Database } from '../db/connect.ts'
import { type TestDatabase, testDatabase } from '../testing/database.ts'
import { contentDisposition, fileChunks, readFile, safeFileName, storeFile } from './file.ts'

let database: TestDatabase
let db: Database

beforeAll(async () => {
  database = await testDatabase()
  db = connect(database.connection)
})
afterAll(async () => {
  await db.close()
  await database.drop()
})

test.each([0, 1, 1024 * 1024, 2_500_000])(
  '%i bytes come back as they were, in pieces of at most 1 MiB',
  async (size) => {
    const content = randomBytes(size)
    const id = await db.write((tx) => storeFile(tx, { name: 'a.bin', mediaType: 'application/octet-stream', content }))
    const file = await readFile(db.read, id)
    expect(file).toMatchObject({ name: 'a.bin', size })
    expect(file.content.equals(content)).toBe(true)
    for await (const chunk of fileChunks(db.read, id)) expect(chunk.length).toBeLessThanOrEqual(1024 * 1024)
  },
)

test.each([
  ['../../etc/passwd', 'passwd'],
  ['C:\\x\\Rechnung.pdf', 'Rechnung.pdf'],
  ['a\r\nSet-Cookie: x.pdf', 'aSet-Cookie x.pdf'],
  ['evil\u202efdp.exe', 'evilfdp.exe'],
  ['', 'file'],
  ['...', 'file'],
  [`${'x'.repeat(4096)}.pdf`, `${'x'.repeat(140)}.pdf`],
  ['x.12345678😀9', 'x.12345678😀'],
])('the file name %j is kept as %j', (name, safe) => {
  expect(safeFileName(name)).toBe(safe)
})

test('a download’s header is one line of ASCII that also bears the real name', () => {
  expect(contentDisposition('Faktura Łódź (2)’.pdf')).toBe(
    `attachment; filename="Faktura _odz (2)_.pdf"; filename*=UTF-8''Faktura%20%C5%81%C3%B3d%C5%BA%20%282%29%E2%80%99.pdf`,
  )
  expect(contentDisposition('a"\r\nx: y%41.pdf')).toBe(
    `attachment; filename="ax y_41.pdf"; filename*=UTF-8''ax%20y%2541.pdf`,
  )
  expect(contentDisposition('a＂b／c.pdf')).toBe(
    `attachment; filename="a_b_c.pdf"; filename*=UTF-8''a%EF%BC%82b%EF%BC%8Fc.pdf`,
  )
})
