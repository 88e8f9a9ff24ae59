import '@mantine/dropzone/styles.css'
import { Group, Text } from '@mantine/core'
import { Dropzone, type FileRejection } from '@mantine/dropzone'
import IconFile from '@tabler/icons-react/dist/esm/icons/IconFile.mjs'
import { errorDialog } from '../feedback/confirm-dialog.tsx'

const WRONG_KIND = 'file-invalid-type'

/** A kind of files that people give, with the endings of its names. */
export type FileKind = { endings: readonly string[]; refusal: string; name: string }

type Props = {
  kind: FileKind
  file: File | null
  onFile: (file: File) => void
  disabled?: boolean
  loading?: boolean
}

/** The properties of a zone that takes one file of a kind. A dialog refuses other files. */
function zoneOf({ kind, onFile, disabled = false, loading = false }: Omit<Props, 'file'>) {
  const { endings, refusal, name } = kind
  return {
    multiple: false,
    disabled,
    loading,
    // Windows reports CSV files under many types, so the name decides.
    validator: (candidate: File | DataTransferItem) =>
      'name' in candidate && !endings.some((ending) => candidate.name.toLowerCase().endsWith(ending))
        ? { code: WRONG_KIND, message: refusal }
        : null,
    onDrop: ([dropped]: File[]) => {
      if (dropped) onFile(dropped)
    },
    // If somebody drops several files, the first right one is taken.
    onReject: (rejections: FileRejection[]) => {
      const isWrongKind = rejections.some(({ errors }) => errors.some(({ code }) => code === WRONG_KIND))
      void errorDialog(isWrongKind ? refusal : `One ${name} file at a time: only the first was taken.`)
    },
    inputProps: { 'aria-label': `Choose a ${name} file`, accept: endings.join(',') },
  }
}

/** Takes a file that is dropped anywhere in the window. It is drawn only while a file is dragged over the window. */
export function DropAnywhere(props: Omit<Props, 'file'>) {
  return (
    <Dropzone.FullScreen
      {...zoneOf(props)}
      active={!props.disabled}
      activateOnClick={false}
      activateOnKeyboard={false}
      // It stands among the screen's landmarks.
      withinPortal={false}
    >
      <Group justify="center" gap="sm" mih="calc(100dvh - 60px)" style={{ pointerEvents: 'none' }}>
        <IconFile size={22} stroke={1.5} />
        <Text>Drop the {props.kind.name} file here</Text>
      </Group>
    </Dropzone.FullScreen>
  )
}

/** A field that takes one file, dropped or chosen. A dialog refuses files of other kinds. */
export function FileDrop({ file, ...zone }: Props) {
  const { name } = zone.kind
  return (
    <Dropzone {...zoneOf(zone)} p="md">
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
