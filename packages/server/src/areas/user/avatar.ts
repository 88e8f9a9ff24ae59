import { writeAnswer } from '@backstock/contract/answer.ts'
import { z } from 'zod'
import type { Database } from '../../db/connect.ts'
import { done } from '../../http/answer.ts'
import { IdParams } from '../../http/crud.ts'
import { FORM, fileAnswer, ownBody } from '../../http/openapi.ts'
import { forbidden, missing } from '../../http/refusal.ts'
import { actorOf } from '../../http/session.ts'
import type { App } from '../../http/typed-routes.ts'
import { readFile, storeFile } from '../../records/file.ts'
import { record } from '../../records/log/write.ts'
import { redrawnUpload } from '../../records/picture-upload.ts'

const SIZE = 256
const PictureForm = z.object({ avatar: z.file() })
const Saved = writeAnswer(z.object({ avatar_url: z.string() }))
/** The routes that store and answer a user's picture. */
export function avatarRoutes(app: App, db: Database): void {
  app.get(
    '/api/user/:id/avatar',
    { schema: { params: IdParams, ...fileAnswer('The picture.', 'image/webp') } },
    async (request, reply) => {
      const user = await db.read
        .selectFrom('app_user')
        .select('avatar_file_id')
        .where('id', '=', request.params.id)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
      if (!user?.avatar_file_id) throw missing('This picture')
      const { content, media_type } = await readFile(db.read, user.avatar_file_id)
      // The picture may be cached for long, because its address changes with its version.
      return reply.header('cache-control', 'private, max-age=604800, immutable').type(media_type).send(content)
    },
  )

  app.post(
    '/api/user/:id/avatar',
    { schema: { params: IdParams, ...ownBody(PictureForm, FORM), response: { 200: Saved } } },
    async (request) => {
      const actor = actorOf(request)
      const id = request.params.id
      if (actor.id !== id && actor.role !== 'ROLE_ADMIN') throw forbidden()
      const content = await redrawnUpload(request, 'avatar', { format: 'webp', width: SIZE, height: SIZE })
      const url = await db.write(async (tx) => {
        const user = await tx
          .selectFrom('app_user')
          .select(['avatar_file_id', 'avatar_version'])
          .where('id', '=', id)
          .where('deleted_at', 'is', null)
          .forNoKeyUpdate()
          .executeTakeFirst()
        if (!user) throw missing(`User #${id}`)
        const avatar_file_id = await storeFile(tx, { name: 'avatar.webp', mediaType: 'image/webp', content })
        const avatar_version = user.avatar_version + 1
        await tx.updateTable('app_user').set({ avatar_file_id, avatar_version }).where('id', '=', id).execute()
        if (user.avatar_file_id) await tx.deleteFrom('file').where('id', '=', user.avatar_file_id).execute()
        const message = 'The picture was changed.'
        await record(tx, { userId: actor.id }, [{ type: 'User', id, content: { type: 'message', data: { message } } }])
        return `/api/user/${id}/avatar?version=${avatar_version}`
      })
      return done('Picture saved.', { avatar_url: url })
    },
  )
}
