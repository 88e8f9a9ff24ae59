import { Alert, Button, Group, Text } from '@mantine/core'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import type { ApiError } from '../../../api/error.ts'

/** The server's refusal of a file. */
export type FileRefusal = {
  title: string
  problems: readonly string[]
  /** Further sheets of the workbook, to be read instead. */
  sheets: readonly string[]
  /** Whether a preview of the file may help. */
  helpsPreview: boolean
}

/** The sheets that the server offers if the sheet that it has read holds no table. */
function sheetsOf({ body }: ApiError): readonly string[] {
  const { data } = (body ?? {}) as { data?: { sheets?: readonly string[] } | null }
  return data?.sheets ?? []
}

/** The refusal of a file that was sent to be imported, or to get a preview. */
export function refusalOf(error: ApiError, file: File, to: 'import' | 'preview'): FileRefusal {
  const named = Object.values(error.errors)
  return {
    title: `${file.name} was not ${to === 'import' ? 'imported' : 'read'}`,
    problems: named.length ? named : [error.message],
    sheets: sheetsOf(error),
    helpsPreview: to === 'import' && 'csv' in error.errors,
  }
}

type Props = { refusal: FileRefusal; onPreview: (how?: { sheet: string }) => void }

/** The alert that says why the server refused a file, with the ways out. */
export function RefusalAlert({ refusal, onPreview }: Props) {
  return (
    <Alert color="red" role="alert" title={refusal.title} icon={<IconAlertTriangle size={18} />}>
      {refusal.problems.map((problem) => (
        <Text key={problem} size="sm">
          {problem}
        </Text>
      ))}
      {refusal.sheets.length > 0 && (
        <Group gap="xs" mt="xs">
          {refusal.sheets.map((sheet) => (
            <Button key={sheet} size="xs" variant="default" onClick={() => onPreview({ sheet })}>
              Read the sheet {sheet}
            </Button>
          ))}
        </Group>
      )}
      {refusal.helpsPreview && (
        <Button size="xs" variant="default" mt="xs" onClick={() => onPreview()}>
          Look at it in the preview
        </Button>
      )}
    </Alert>
  )
}
