import type { WriteAnswer } from '@backstock/contract/answer.ts'
import type { MailServer } from '@backstock/contract/mail-server.ts'
import { Alert, Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { PartUnread } from '../../ui/feedback/part-unread.tsx'
import { useAct } from '../../ui/feedback/use-act.ts'

const read = async () => (await api.get<{ data: MailServer }>('company/mail')).data

/** The mail server and a button that sends a test mail. If there is no mail server, the text says how to set one up. */
export function MailServerState() {
  const { data, error, refetch } = useQuery({ queryKey: ['company', 'mail'], queryFn: read })
  const [sending, run] = useAct()
  if (error && !data)
    return <PartUnread title="The mail server’s state could not be read" error={error} retry={() => void refetch()} />
  if (!data) return null
  if (data.server === null)
    return (
      <Alert color="orange">
        No mail server is set up, so emails are not sent. Each is saved as a file in the folder ‘mail’ of the server's
        data folder. To send emails, start Backstock with SMTP_URL, for example
        smtp://user:password@mail.example.com:587.
      </Alert>
    )
  const test = () => run(() => api.post<WriteAnswer<MailServer>>('company/mail/test'))
  return (
    <div>
      <Text size="sm" fw={500} mb={4}>
        Mail server
      </Text>
      <Group gap="sm">
        <Text size="sm">{data.server}</Text>
        <Button variant="default" loading={sending} onClick={() => void test()}>
          Send a test email to me
        </Button>
      </Group>
    </div>
  )
}
