import type { User } from '@backstock/contract/user.ts'
import { Avatar, FileButton } from '@mantine/core'
import type { ReactNode } from 'react'
import { api } from '../api/client.ts'
import { invalidate } from '../api/reads.ts'
import { refetchAuth } from '../api/session.ts'
import { errorDialog } from '../ui/feedback/confirm-dialog.tsx'
import { sameFileAgain } from '../ui/fields/same-file-again.ts'

const TYPES = 'image/png,image/jpeg,image/webp,image/gif'

/**
 * A staff user's picture, or their initials if there is none. It has no alternative text, because the name stands
 * beside it.
 */
export function Picture({
  user,
  size = 40,
}: {
  user: Pick<User, 'name' | 'avatar_url' | 'gravatar_url'>
  size?: number
}) {
  return (
    <Avatar
      src={user.avatar_url ?? user.gravatar_url}
      name={user.name}
      alt=""
      aria-hidden
      color="accent"
      size={size}
      radius={size}
    />
  )
}

type Props = { userId: number; children: (choose: { onClick: () => void }) => ReactNode }

/** A click on `children` chooses a new picture for a user. All screens show it as soon as the server has it. */
export function PictureUpload({ userId, children }: Props) {
  const upload = async (file: File | null) => {
    if (!file) return
    if (!file.type.startsWith('image/')) return errorDialog('Only image files are allowed')
    const body = new FormData()
    body.append('avatar', file)
    try {
      await api.post(`user/${userId}/avatar`, { body })
      await Promise.all([refetchAuth(), invalidate('user')])
    } catch {
      // The call has shown a toast with the reason. The old picture stays.
    }
  }
  return (
    <FileButton
      accept={TYPES}
      onChange={(file) => void upload(file)}
      inputProps={{ 'aria-label': 'Picture', onClick: sameFileAgain }}
    >
      {children}
    </FileButton>
  )
}
