import { expect, test } from 'vitest'
import { withKilledReaders } from '../../testing/killed-readers.ts'
import { asUploaded } from '../../testing/uploaded.ts'
import { redrawPicture } from './redraw-picture.ts'

const DOT = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

test('a picture that is too much for its reader gets a sentence, and the next one is drawn', async () => {
  const redraw = () => asUploaded(DOT, (file) => redrawPicture(1, file, { format: 'png', width: 8, height: 8 }))
  expect(await withKilledReaders(redraw)).toEqual({
    ok: false,
    reason: 'This picture needs too much time or memory to open.',
  })
  expect(await redraw()).toMatchObject({ ok: true })
})
