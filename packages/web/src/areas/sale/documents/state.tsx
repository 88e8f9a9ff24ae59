import type { Sale } from '@backstock/contract/sale.ts'
import { Text } from '@mantine/core'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconCircleDashed from '@tabler/icons-react/dist/esm/icons/IconCircleDashed.mjs'
import IconCircleX from '@tabler/icons-react/dist/esm/icons/IconCircleX.mjs'
import IconClock from '@tabler/icons-react/dist/esm/icons/IconClock.mjs'
import { formatDateTime } from '../../../ui/values/date-text.tsx'
import classes from '../sale.module.css'

const LOOKS = {
  none: { Icon: IconCircleDashed, colour: 'gray' },
  pending: { Icon: IconClock, colour: 'blue' },
  ready: { Icon: IconCircleCheck, colour: 'green' },
  unclear: { Icon: IconAlertTriangle, colour: 'orange' },
  failed: { Icon: IconCircleX, colour: 'red' },
} as const

function State({ look, children, more }: { look: keyof typeof LOOKS; children: string; more?: string | null }) {
  const { Icon, colour } = LOOKS[look]
  return (
    <>
      <Icon size={17} className={classes['stateIcon']} data-colour={colour} aria-hidden />
      <div>
        <Text size="sm">{children}</Text>
        {more && (
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {more}
          </Text>
        )}
      </div>
    </>
  )
}

const DOCUMENT_WORDS = {
  none: 'None',
  pending: 'Being made…',
  ready: 'Ready',
  failed: 'Could not be made. Please generate it again.',
} as const

type DocumentStateProps = {
  status: Sale['invoice_status']
  /** Text behind the state of a file that is ready. */
  note?: string | undefined
  /** Why the file, or a newer version of it, could not be made. */
  error?: string | null | undefined
}

export function DocumentState({ status, note, error }: DocumentStateProps) {
  return (
    <State look={status} more={status === 'failed' || status === 'ready' ? (error ?? null) : null}>
      {status === 'ready' && note ? note : DOCUMENT_WORDS[status]}
    </State>
  )
}

export function MailState({ mail }: { mail: Sale['mail'] }) {
  if (!mail) return <State look="none">Not sent</State>
  const to = `To ${mail.recipient} (${mail.subject})`
  switch (mail.state) {
    case 'waiting':
      return (
        <State look="pending" more={mail.error ? `${to}. Last try: ${mail.error}` : to}>
          Waiting to be sent
        </State>
      )
    case 'sending':
      return (
        <State look="pending" more={to}>
          Being sent…
        </State>
      )
    case 'sent':
      return mail.saved_as !== null ? (
        <State look="unclear" more={`${to}. Saved on the server as mail/${mail.saved_as}`}>
          Not sent: no mail server is set up
        </State>
      ) : (
        <State look="ready" more={mail.sent_at ? `${to}, ${formatDateTime(mail.sent_at)}` : to}>
          Sent
        </State>
      )
    case 'unclear':
      return (
        <State look="unclear" more={[to, mail.error].filter(Boolean).join('. ')}>
          Unclear: the connection broke while it was being sent. It may have arrived; resend it if it has not.
        </State>
      )
    case 'failed':
      return (
        <State look="failed" more={[to, mail.error].filter(Boolean).join('. ')}>
          Failed
        </State>
      )
  }
}
