import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { testInTurn } from '../../testing/in-turn.ts'
import { withKilledReaders } from '../../testing/killed-readers.ts'
import { asUploaded } from '../../testing/uploaded.ts'
import { inspectPdf } from './inspect-pdf.ts'

const inspect = (content: Buffer, person = 1) => asUploaded(content, (file) => inspectPdf(person, file))

/** A PDF made by hand: it has these objects, the table of their places, and further entries in the trailer. */
function pdf(objects: string[], trailer = ''): Buffer {
  let text = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const at = text.length
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${String(at).padStart(10, '0')} 00000 n \n`
  })
  const size = objects.length + 1
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}`
  return Buffer.from(
    `${text}${table}trailer << /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${text.length}\n%%EOF\n`,
    'latin1',
  )
}

const CATALOG = '<< /Type /Catalog /Pages 2 0 R >>'
/** An entry of the trailer that demands a password. */
const KEY = `<${'00'.repeat(32)}>`
const LOCKED = `/ID [<00> <00>] /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O ${KEY} /U ${KEY} >>`
const PAGE = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>'

test('a PDF is opened and its pages are counted', async () => {
  const two = pdf([CATALOG, '<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>', PAGE, PAGE])
  expect(await inspect(two)).toEqual({ ok: true, pages: 2 })
})

test('a file that only looks like a PDF is refused, and the next one is still opened', async () => {
  const good = pdf([CATALOG, '<< /Type /Pages /Kids [3 0 R] /Count 1 >>', PAGE])
  const bad: [Buffer, string][] = [
    [Buffer.from('<html>invoice</html>'), 'The file is not a PDF.'],
    [Buffer.alloc(0), 'The file is not a PDF.'],
    [Buffer.concat([Buffer.alloc(2000, ' '), good]), 'The file is not a PDF.'],
    [Buffer.from(`%PDF-1.7\n<html>${'<p>'.repeat(500)}</html>`), 'The PDF is damaged or has no page.'],
    [
      Buffer.concat([Buffer.from('%PDF-1.7\n'), deflateSync(Buffer.alloc(5_000_000))]),
      'The PDF is damaged or has no page.',
    ],
    [pdf([CATALOG, '<< /Type /Pages /Kids [] /Count 0 >>']), 'The PDF is damaged or has no page.'],
    [pdf([CATALOG, '<< /Type /Pages /Kids [3 0 R] /Count 1 >>', PAGE], LOCKED), 'The PDF is protected by a password.'],
  ]
  for (const [bytes, reason] of bad) expect(await inspect(bytes)).toEqual({ ok: false, reason })
  expect(await inspect(good)).toEqual({ ok: true, pages: 1 })
})

test('a file that is too much for its reader gets a sentence', async () => {
  const good = pdf([CATALOG, '<< /Type /Pages /Kids [3 0 R] /Count 1 >>', PAGE])
  const reason = 'The PDF needs too much time or memory to open.'
  expect(await withKilledReaders(() => inspect(good))).toEqual({ ok: false, reason })
})

test('a file that would take all memory ends only its own inspection', async () => {
  const good = pdf([CATALOG, '<< /Type /Pages /Kids [3 0 R] /Count 1 >>', PAGE])
  const endlessWord = Buffer.alloc(19_000_000, 'x')
  endlessWord.write('%PDF-1.7\n')
  const [refused, next] = await Promise.all([inspect(endlessWord), inspect(good)])
  expect(refused.ok).toBe(false)
  expect(next).toEqual({ ok: true, pages: 1 })
})

testInTurn('many at once, of one person and of others, are all answered', async () => {
  const good = pdf([CATALOG, '<< /Type /Pages /Kids [3 0 R] /Count 1 >>', PAGE])
  const files = Array.from({ length: 6 }, (_, n) => inspect(n % 2 ? good : good.subarray(0, 60), n % 3))
  expect((await Promise.all(files)).map(({ ok }) => ok)).toEqual(files.map((_, n) => n % 2 === 1))
})

testInTurn("one's file does not wait behind another's", async () => {
  const good = pdf([CATALOG, '<< /Type /Pages /Kids [3 0 R] /Count 1 >>', PAGE])
  const slow = Buffer.alloc(3_000_000, '1 0 obj << /A 1 >> endobj\n')
  slow.write('%PDF-1.7\n')
  const done: string[] = []
  const heap = [1, 2, 3].map(() => inspect(slow, 1).then(() => done.push('slow')))
  await Promise.all([...heap, inspect(good, 2).then(({ ok }) => done.push(`good: ${ok}`))])
  expect(done.indexOf('good: true')).toBeOneOf([0, 1])
})

test('a file whose sender has gone is not opened', async () => {
  const good = pdf([CATALOG, '<< /Type /Pages /Kids [3 0 R] /Count 1 >>', PAGE])
  const forsaken = await asUploaded(good, (file) => inspectPdf(1, { ...file, isWanted: () => false }))
  expect(forsaken).toMatchObject({ ok: false })
})
