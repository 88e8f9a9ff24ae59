import { Alert, Anchor, Button, Checkbox, Group, Radio, Stack, Text } from '@mantine/core'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs'
import IconInfoCircle from '@tabler/icons-react/dist/esm/icons/IconInfoCircle.mjs'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { api, apiUrl, idempotencyKey } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'
import { queryClient } from '../../api/query-client.ts'
import { showToast } from '../../api/toast.ts'
import { FileDrop } from '../../ui/fields/file-drop.tsx'
import { PageHeader } from '../../ui/layout/page-header.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { type Door, doorOf } from './door.ts'
import { ImportProgress } from './import-progress.tsx'
import { importStatus, isRunning } from './import-status.ts'
import { useKeptStatus } from './kept-status.ts'
import { openPreview, previewScreen, startPreview } from './preview/preview.ts'

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

type Upload = {
  /** The next step with the uploaded file. */
  to: 'import' | 'preview'
  /** The uploaded part, from 0 to 1. */
  part: number
}

/**
 * The server's refusal of a file. `sheets` are further sheets of a workbook, to be read instead. `file` is set if a
 * preview may help.
 */
type Refusal = { title: string; problems: readonly string[]; sheets: readonly string[]; file: File | null }

/** The sheets that the server offers if the sheet that it has read holds no table. */
function sheetsOf({ body }: ApiError): readonly string[] {
  const { data } = (body ?? {}) as { data?: { sheets?: readonly string[] } | null }
  return data?.sheets ?? []
}

export default function ImportPage() {
  const { data: read } = useQuery({ ...importStatus, refetchOnMount: 'always' })
  const status = useKeptStatus(read)
  const { data: open } = useQuery({ ...openPreview, refetchOnMount: 'always' })
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const [delimiter, setDelimiter] = useState<string>(',')
  const [updateExisting, setUpdateExisting] = useState(false)
  /** Null if no upload is under way. */
  const [upload, setUpload] = useState<Upload | null>(null)
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  /** The id of the import whose result is hidden, because the person has chosen another file since. */
  const [past, setPast] = useState<number | null>(null)
  const navigate = useNavigate()
  const isPast = status && status.import_id === past && !isRunning(status)

  // The button is disabled during an upload and so loses the focus. After a refusal it gets the focus back.
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (refusal && document.activeElement === document.body) button.current?.focus()
  }, [refusal])

  // Scroll to an import that starts while this screen is open, or that a preview has started, and again to its end.
  const newest = useRef<HTMLParagraphElement>(null)
  const lay = useRef<number | null>(undefined)
  const id = status?.import_id
  const running = isRunning(status)
  useEffect(() => {
    if (id === undefined) return
    if (lay.current === undefined) lay.current = running ? null : id
    if (id !== lay.current) newest.current?.scrollIntoView({ block: 'nearest' })
  }, [id, running])

  const choose = async (file: File) => {
    setChosen({ file, door: undefined, key: idempotencyKey() })
    setRefusal(null)
    if (status && !isRunning(status)) setPast(status.import_id)
    const door = await doorOf(file)
    setChosen((now) => (now?.file === file ? { ...now, door } : now))
    if (door.to === 'preview') await look(file, { why: door.why })
    else if (door.delimiter) setDelimiter(door.delimiter)
  }
  const anotherImport = () => setChosen((now) => now && { ...now, key: idempotencyKey() })

  /** Uploads a file, and shows the server's message if it refuses the file. Returns whether it took the file. */
  const send = async (file: File, to: Upload['to'], call: (onProgress: (part: number) => void) => Promise<unknown>) => {
    setRefusal(null)
    setPast(status?.import_id ?? null)
    setUpload({ to, part: 0 })
    try {
      await call((part) => setUpload({ to, part }))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const named = Object.values(error.errors)
      const problems = named.length ? named : [error.message]
      const title = `${file.name} was not ${to === 'import' ? 'imported' : 'read'}`
      setRefusal({
        title,
        problems,
        sheets: sheetsOf(error),
        file: to === 'import' && error.errors['csv'] ? file : null,
      })
      // If the person has left this screen, a toast shows the message.
      if (!button.current) showToast({ type: 'error', title, message: problems.join(' ') })
    } finally {
      setUpload(null)
    }
  }

  const start = async () => {
    if (chosen?.door?.to !== 'import' || upload) return
    const body = new FormData()
    body.set('update_existing', String(updateExisting))
    body.set('delimeter', delimiter) // the API spells it so
    body.set('csv', chosen.file)
    await send(chosen.file, 'import', async (onProgress) => {
      await api.post('stock/import/csv', { body, idempotent: chosen.key, onProgress, tellsTrouble: true })
      setChosen(null)
      await queryClient.invalidateQueries({ queryKey: ['import'] })
      setPast(null)
    })
  }

  const look = (file: File, how: { why?: string; sheet?: string } = {}) =>
    send(file, 'preview', async (onProgress) => {
      const to = previewScreen(await startPreview({ file, supplierId: null, updateExisting, onProgress, ...how }))
      void queryClient.invalidateQueries({ queryKey: ['import', 'preview'] })
      if (button.current) await navigate({ to })
      else
        showToast({ type: 'info', message: `The preview of ${file.name} is made.`, link: { to, text: 'Look at it' } })
    })

  return (
    <>
      <PageHeader
        title="Import Stock"
        actions={
          <>
            <Button
              component="a"
              href={apiUrl('stock/import/csv_template')}
              variant="default"
              px="sm"
              leftSection={<IconDownload size={16} stroke={1.6} />}
            >
              Download template
            </Button>
            <Button
              component={Link}
              to="/admin/stock/import/history"
              variant="default"
              px="sm"
              leftSection={<IconHistory size={16} stroke={1.6} />}
            >
              History
            </Button>
          </>
        }
      />
      <Stack gap="md" maw={820}>
        {open && (
          <Alert color="gray" role="note" icon={<IconInfoCircle size={18} />}>
            <Group justify="space-between" gap="xs">
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                The preview of {open.file_name} is open. The next preview takes its place.
              </Text>
              <Button component={Link} to={previewScreen(open.import_id)} size="xs" variant="default">
                Continue the preview
              </Button>
            </Group>
          </Alert>
        )}
        <Panel>
          <form
            onSubmit={(event) => {
              event.preventDefault()
              void start()
            }}
          >
            <Stack gap="md">
              <FileDrop
                kind="table"
                file={chosen?.file ?? null}
                disabled={upload !== null}
                onFile={(file) => void choose(file)}
              />
              <Radio.Group
                label="Delimiter"
                description="Set by itself when a file is chosen."
                value={delimiter}
                onChange={(value) => {
                  setDelimiter(value)
                  anotherImport()
                }}
              >
                <Group my="xs">
                  {DELIMITERS.map(({ value, label }) => (
                    <Radio key={value} value={value} label={label} />
                  ))}
                </Group>
              </Radio.Group>
              <Checkbox
                label="Update existing items"
                description="Rows whose Backstock ID, IMEI or serial number is in stock change that item; without this they fail. Empty cells leave values as they are."
                checked={updateExisting}
                onChange={(event) => {
                  setUpdateExisting(event.currentTarget.checked)
                  anotherImport()
                }}
              />
              {refusal && (
                <Alert color="red" role="alert" title={refusal.title} icon={<IconAlertTriangle size={18} />}>
                  {refusal.problems.map((problem) => (
                    <Text key={problem} size="sm">
                      {problem}
                    </Text>
                  ))}
                  {chosen && refusal.sheets.length > 0 && (
                    <Group gap="xs" mt="xs">
                      {refusal.sheets.map((sheet) => (
                        <Button
                          key={sheet}
                          size="xs"
                          variant="default"
                          onClick={() => void look(chosen.file, { sheet })}
                        >
                          Read the sheet {sheet}
                        </Button>
                      ))}
                    </Group>
                  )}
                  {refusal.file && (
                    <Button size="xs" variant="default" mt="xs" onClick={() => refusal.file && void look(refusal.file)}>
                      Look at it in the preview
                    </Button>
                  )}
                </Alert>
              )}
              <Group justify="space-between">
                <Text size="sm" c="dimmed" maw={440}>
                  Prices in currency units, as 249.90 or 249,90.{' '}
                  <Anchor size="sm" underline="always" href={apiUrl('stock/import/csv_template')}>
                    All columns are in the template.
                  </Anchor>{' '}
                  A file with other columns, or of Excel, opens in a preview before anything is written.
                </Text>
                <Group gap="sm">
                  {upload && (
                    <Text size="sm" c="dimmed" role="status">
                      {upload.part < 1 ? `Uploading… ${Math.floor(upload.part * 100)}%` : 'Reading the file…'}
                    </Text>
                  )}
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
        </Panel>
        {!isPast && <ImportProgress ref={newest} status={status} />}
      </Stack>
    </>
  )
}
