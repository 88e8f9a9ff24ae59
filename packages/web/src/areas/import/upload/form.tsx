import type { ImportStatus } from '@backstock/contract/import.ts'
import { Anchor, Button, Checkbox, Group, Radio, Stack, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, apiUrl, idempotencyKey } from '../../../api/client.ts'
import { queryClient } from '../../../api/query-client.ts'
import { showToast } from '../../../api/toast.ts'
import { FileDrop, type FileKind } from '../../../ui/fields/file-drop.tsx'
import { isRunning } from '../import-status.ts'
import { previewScreen, startPreview } from '../preview/preview.ts'
import { type Door, doorOf } from './door.ts'
import { RefusalAlert } from './refusal.tsx'
import { useUpload } from './use-upload.ts'

const TABLE: FileKind = {
  endings: ['.csv', '.xlsx', '.xls'],
  // An .xls gets through: the server refuses it with a message that says what to do.
  refusal: 'Only CSV files are allowed',
  name: 'CSV or Excel',
}

const DELIMITERS = [
  { value: ',', label: 'Comma (,)' },
  { value: ';', label: 'Semicolon (;)' },
] as const

type Chosen = {
  file: File
  /** Undefined while the beginning of the file is read. */
  door: Door | undefined
  /** The idempotency key. It stays the same for the same import, until the person changes anything about it. */
  key: string
}

type Props = {
  /** The person's newest import. */
  status: ImportStatus | undefined
  /** Called with the id of the import that is past, since the person goes on with another file; null if none is. */
  onPast: (id: number | null) => void
}

/** The form that takes a file, and imports it or opens its preview. */
export function UploadForm({ status, onPast }: Props) {
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const [delimiter, setDelimiter] = useState<string>(',')
  const [updateExisting, setUpdateExisting] = useState(false)
  const { upload, refusal, forgetRefusal, button, send } = useUpload()
  const navigate = useNavigate()

  const choose = async (file: File) => {
    setChosen({ file, door: undefined, key: idempotencyKey() })
    forgetRefusal()
    if (status && !isRunning(status)) onPast(status.import_id)
    const door = await doorOf(file)
    setChosen((now) => (now?.file === file ? { ...now, door } : now))
    if (door.to === 'preview') await look(file, { why: door.why })
    else if (door.delimiter) setDelimiter(door.delimiter)
  }
  const anotherImport = () => setChosen((now) => now && { ...now, key: idempotencyKey() })

  const start = async () => {
    if (chosen?.door?.to !== 'import' || upload) return
    const body = new FormData()
    body.set('update_existing', String(updateExisting))
    body.set('delimeter', delimiter) // the API spells it so
    body.set('csv', chosen.file)
    onPast(status?.import_id ?? null)
    await send(chosen.file, 'import', async (onProgress) => {
      await api.post('stock/import/csv', { body, idempotent: chosen.key, onProgress, tellsTrouble: true })
      setChosen(null)
      await queryClient.invalidateQueries({ queryKey: ['import'] })
      onPast(null)
    })
  }

  const look = async (file: File, how: { why?: string; sheet?: string } = {}) => {
    onPast(status?.import_id ?? null)
    await send(file, 'preview', async (onProgress) => {
      const to = previewScreen(await startPreview({ file, supplierId: null, updateExisting, onProgress, ...how }))
      void queryClient.invalidateQueries({ queryKey: ['import', 'preview'] })
      if (button.current) await navigate({ to })
      else
        showToast({ type: 'info', message: `The preview of ${file.name} is ready.`, link: { to, text: 'Look at it' } })
    })
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void start()
      }}
    >
      <Stack gap="md">
        <FileDrop
          kind={TABLE}
          file={chosen?.file ?? null}
          disabled={upload !== null}
          onFile={(file) => void choose(file)}
        />
        <Delimiter
          value={delimiter}
          onChange={(value) => {
            setDelimiter(value)
            anotherImport()
          }}
        />
        <UpdateExisting
          checked={updateExisting}
          onChange={(checked) => {
            setUpdateExisting(checked)
            anotherImport()
          }}
        />
        {refusal && chosen && <RefusalAlert refusal={refusal} onPreview={(how) => void look(chosen.file, how)} />}
        <Group justify="space-between">
          <AboutColumns />
          <Group gap="sm">
            {upload && <UploadedPart part={upload.part} />}
            <Button
              variant="default"
              disabled={!chosen || upload !== null}
              loading={upload?.to === 'preview'}
              onClick={() => chosen && void look(chosen.file)}
            >
              Preview
            </Button>
            <Button
              ref={button}
              type="submit"
              disabled={chosen?.door?.to !== 'import' || upload !== null}
              loading={upload?.to === 'import'}
            >
              Import
            </Button>
          </Group>
        </Group>
      </Stack>
    </form>
  )
}

function Delimiter({ value: chosen, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <Radio.Group
      label="Delimiter"
      description="Set automatically when you choose a file."
      value={chosen}
      onChange={onChange}
    >
      <Group my="xs">
        {DELIMITERS.map(({ value, label }) => (
          <Radio key={value} value={value} label={label} />
        ))}
      </Group>
    </Radio.Group>
  )
}

function UpdateExisting({ checked, onChange }: { checked: boolean; onChange: (checked: boolean) => void }) {
  return (
    <Checkbox
      label="Update existing items"
      description="If a row’s Backstock ID, IMEI or serial number belongs to an item that you have or had, the row updates that item; empty cells leave its values as they are. A phone that you bought back becomes a new item only if its row has the status Inbound or In Stock. If this box is not ticked, rows with items that you have fail."
      checked={checked}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  )
}

/** `part` is the uploaded part of the file, from 0 to 1. */
function UploadedPart({ part }: { part: number }) {
  return (
    <Text size="sm" c="dimmed" role="status">
      {part < 1 ? `Uploading… ${Math.floor(part * 100)}%` : 'Reading the file…'}
    </Text>
  )
}

function AboutColumns() {
  return (
    <Text size="sm" c="dimmed" maw={440}>
      Prices in currency units, such as 249.90 or 249,90.{' '}
      <Anchor size="sm" underline="always" href={apiUrl('stock/import/csv_template')}>
        The template has the usual columns.
      </Anchor>{' '}
      An Excel file, or a file with a column that Backstock does not know, opens in a preview before anything is
      written.
    </Text>
  )
}
