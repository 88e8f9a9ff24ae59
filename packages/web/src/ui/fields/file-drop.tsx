import '@mantine/dropzone/styles.css'
import { Group, Text } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import IconFile from '@tabler/icons-react/dist/esm/icons/IconFile.mjs'
import { errorDialog } from '../feedback/confirm-dialog.tsx'

const KINDS = {
  pdf: { endings: ['.pdf'], refusal: 'Only PDF files are allowed', name: 'PDF' },
  // An .xls gets through: the server refuses it with a message that says what to do.
  table: { endings: ['.csv', '.xlsx', '.xls'], refusal: 'Only CSV files are allowed', name: 'CSV or Excel' },
} as const

const WRONG_KIND = 'file-invalid-type'

type Props = {
  kind: keyof typeof KINDS
  file: File | null
  onFile: (file: File) => void
  disabled?: boolean
  loading?: boolean
}

/** A field that takes one file, dropped or chosen. A dialog refuses files of other kinds. */
export function FileDrop({ kind, file, onFile, disabled = false, loading = false }: Props) {
  const { endings, refusal, name } = KINDS[kind]
  return (
    <Dropzone
      multiple={false}
      disabled={disabled}
      loading={loading}
      // Windows reports CSV files under many types, so the name decides.
      validator={(candidate) =>
        'name' in candidate && !endings.some((ending) => candidate.name.toLowerCase().endsWith(ending))
          ? { code: WRONG_KIND, message: refusal }
          : null
      }
      onDrop={([dropped]) => {
        if (dropped) onFile(dropped)
      }}
      // If somebody drops several files, the first right one is taken.
      onReject={(rejections) => {
        const isWrongKind = rejections.some(({ errors }) => errors.some(({ code }) => code === WRONG_KIND))
        void errorDialog(isWrongKind ? refusal : `One ${name} file at a time: only the first was taken.`)
      }}
      inputProps={{ 'aria-label': `Choose a ${name} file`, accept: endings.join(',') }}
      p="md"
    >
      <Group justify="center" gap="sm" mih={64} style={{ pointerEvents: 'none' }}>
        <IconFile size={22} stroke={1.5} />
        {file ? (
          <Text style={{ overflowWrap: 'anywhere' }}>
            {file.name}{' '}
            <Text component="span" c="dimmed" size="sm">
              ({Math.max(1, Math.round(file.size / 1024)).toLocaleString('en')} KB)
            </Text>
          </Text>
        ) : (
          <Text c="dimmed">Drop a {name} file here, or click to choose one</Text>
        )}
      </Group>
    </Dropzone>
  )
}
