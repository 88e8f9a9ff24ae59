import { Center, Stack, Text, Title } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useEffect } from 'react'
import { TextLink } from '../ui/values/link.tsx'
import { Mark } from '../ui/values/mark.tsx'

// The misspellings in these sentences are kept, because people know the sentences in this form.
const TEXTS: Record<string, [title: string, text: string]> = {
  '404': ['Page Not Found', "Oopps!! The page you were looking for doesn't exist."],
  '500': ['Internal server error', 'Oopps!! There wan an error. Please try agin later.'],
}
const OTHER: [string, string] = ['Something went wrong', "Looks like something went wrong. We're working on it"]

export default function ErrorPage() {
  const { type = '404' } = useParams({ strict: false }) as { type?: string }
  const [title, text] = (Object.hasOwn(TEXTS, type) && TEXTS[type]) || OTHER
  useEffect(() => {
    document.title = `${title} · Backstock`
  }, [title])
  return (
    <Center component="main" mih="100dvh" p="md">
      <Stack align="center" gap="sm">
        <Mark size={44} />
        <Title order={1} mt="md">
          {title}
        </Title>
        <Text c="dimmed">{text}</Text>
        <TextLink to="/admin/dashboard">Back to home</TextLink>
      </Stack>
    </Center>
  )
}
