import IconMail from '@tabler/icons-react/dist/esm/icons/IconMail.mjs'
import IconMessage from '@tabler/icons-react/dist/esm/icons/IconMessage.mjs'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import IconTag from '@tabler/icons-react/dist/esm/icons/IconTag.mjs'

const KINDS = {
  item_sold: { title: 'Sale', Icon: IconTag },
  model_update: { title: 'Updated', Icon: IconPencil },
  email_sent: { title: 'Email', Icon: IconMail },
  message: { title: 'Message', Icon: IconMessage },
} as const

/** The title and icon for a log entry's type; an unknown type gets those of a message. */
export function logKind(type: string): (typeof KINDS)[keyof typeof KINDS] {
  return type in KINDS ? KINDS[type as keyof typeof KINDS] : KINDS.message
}
