import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, testApp } from '../../testing/app.ts'
import { testInTurn } from '../../testing/in-turn.ts'

let t: Awaited<ReturnType<typeof testApp>>
let person: Client
beforeAll(async () => {
  t = await testApp()
  person = await t.user()
})
afterAll(() => t.close())

function upload(client: Client, id: number, content: Buffer, name = 'me.png', type = 'image/png') {
  const boundary = 'boundary'
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="avatar"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n`
  return client.send({
    method: 'POST',
    url: `/api/user/${id}/avatar`,
    payload: Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n--${boundary}--\r\n`)]),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  })
}
const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#3366cc' } })
    .png()
    .toBuffer()

test('a picture is drawn anew as 256 x 256 WebP under an address of its version', async () => {
  expect((await person.get('/api/auth')).body.user.avatar_url).toBeNull()
  expect((await person.get(`/api/user/${person.id}/avatar`)).status).toBe(404)
  expect((await upload(person, person.id, await picture(600, 300))).status).toBe(200)
  const url = (await person.get('/api/auth')).body.user.avatar_url
  expect(url).toBe(`/api/user/${person.id}/avatar?version=1`)
  const answer = await person.get(url)
  expect(answer.headers['content-type']).toBe('image/webp')
  expect(await sharp(answer.raw).metadata()).toMatchObject({ width: 256, height: 256, format: 'webp' })
  expect(answer.headers['cache-control']).toBe('private, max-age=604800, immutable')
  const again = await upload(person, person.id, await picture(50, 50))
  expect([again.status, again.body.message, again.body.data]).toEqual([
    ...[200, 'Picture saved.', { avatar_url: `/api/user/${person.id}/avatar?version=2` }],
  ])
  const { rows } = await t.db.pool.query('select name, media_type from file')
  expect(rows).toEqual([{ name: 'avatar.webp', media_type: 'image/webp' }])
  const log = (await person.get(`/api/log/find?loggable_type=User&loggable_id=${person.id}`)).body.data
  expect(log[0].content.data.message).toBe('The picture was changed.')
})

test('a picture that is no square keeps its proportions: its middle is shown', async () => {
  const edge = { create: { width: 150, height: 300, channels: 3 as const, background: '#ff0000' } }
  const wide = await sharp({ create: { width: 600, height: 300, channels: 3, background: '#3366cc' } })
    .composite([0, 450].map((left) => ({ input: edge, left, top: 0 })))
    .png()
    .toBuffer()
  const someone = await t.user()
  expect((await upload(someone, someone.id, wide)).status).toBe(200)
  const { raw } = await someone.get((await someone.get('/api/auth')).body.user.avatar_url)
  for (const left of [4, 251]) {
    const [red] = await sharp(raw).extract({ left, top: 128, width: 1, height: 1 }).raw().toBuffer()
    expect(red).toBeLessThan(0x80)
  }
})

test('it goes with the account', async () => {
  const [admin, leaving] = [await t.user('ROLE_ADMIN'), await t.user()]
  const files = async () => (await t.db.pool.query(`select id from file order by id`)).rows
  const before = await files()
  expect((await upload(leaving, leaving.id, await picture(50, 50))).status).toBe(200)
  expect(await files()).not.toEqual(before)
  expect((await admin.delete(`/api/user/${leaving.id}/delete`)).status).toBe(200)
  // Nobody can give a deleted account a picture.
  expect((await upload(admin, leaving.id, await picture(50, 50))).status).toBe(404)
  expect(await files()).toEqual(before)
  expect((await t.db.pool.query('select from file_chunk where file_id not in (select id from file)')).rows).toEqual([])
})

test('a file that is no picture, or has too many pixels, is refused and changes nothing', async () => {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>')
  const bomb = await sharp({ create: { width: 8000, height: 8000, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  for (const content of [svg, bomb, Buffer.from('hello'), Buffer.alloc(0)])
    expect((await upload(person, person.id, content)).status).toBe(415)
  const form = { method: 'POST' as const, headers: { 'content-type': 'multipart/form-data; boundary=b' } }
  const none = await person.send({ ...form, url: `/api/user/${person.id}/avatar`, payload: '--b--\r\n' })
  expect([none.status, none.body.data.errors]).toEqual([422, { avatar: 'Choose a picture.' }])
  const large = await upload(person, person.id, Buffer.alloc(10 * 1024 * 1024 + 1))
  expect([large.status, large.body.message]).toEqual([413, 'A picture may have at most 10 MB.'])
})

testInTurn('a picture is refused by what opening it would take, before it is opened', async () => {
  const jpeg = (chromaSubsampling: string) =>
    sharp({ create: { width: 5300, height: 5300, channels: 3, background: 'red' } })
      .jpeg({ progressive: true, chromaSubsampling })
      .toBuffer()
  // A progressive JPEG is in memory as a whole until its last pass: 84 MB for the first one, 169 MB for the second.
  expect((await upload(person, person.id, await jpeg('4:2:0'))).status).toBe(200)
  const { status, body } = await upload(person, person.id, await jpeg('4:4:4'))
  expect([status, body.data.errors]).toEqual([415, { avatar: expect.stringContaining('too many pixels') }])
})

test("another's picture is for administrators only", async () => {
  const other = await t.user()
  expect((await upload(other, person.id, await picture(10, 10))).status).toBe(403)
  const admin = await t.user('ROLE_ADMIN')
  expect((await upload(admin, person.id, await picture(10, 10))).status).toBe(200)
})

test('pictures come from gravatar.com if that is switched on, for those who have uploaded none', async () => {
  expect((await person.get(`/api/user/find?id=${person.id}`)).body.data[0].gravatar_url).toBeNull()
  const open = await testApp({ gravatar: true })
  try {
    const user = await open.user()
    const url = async () => (await user.get('/api/auth')).body.user.gravatar_url
    const hash = createHash('sha256').update(user.email).digest('hex')
    expect(await url()).toBe(`https://www.gravatar.com/avatar/${hash}?s=40&d=retro&r=g`)
    // Gravatar knows an address in small letters.
    expect((await user.post(`/api/user/${user.id}/edit`, { email: user.email.toUpperCase() })).status).toBe(200)
    expect(await url()).toContain(`/${hash}?`)
    expect((await user.get('/healthz')).headers['content-security-policy']).toContain('https://www.gravatar.com')
    await upload(user, user.id, await picture(10, 10))
    expect(await url()).toBeNull()
  } finally {
    await open.close()
  }
})
