import { Alert, Anchor, Button, Checkbox, Group, Radio, Stack, Text } from '@mantine/core'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { api, apiUrl, idempotencyKey } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'
import { queryClient } from '../../api/query-client.ts'
import { showToast } from '../../api/toast.ts'
import { FileDrop } from '../../ui/file-drop.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Panel } from '../../ui/panel.tsx'
import { guessDelimiter } from './guess-delimiter.ts'
import { ImportProgress } from './import-progress.tsx'
import { importStatus, isRunning } from './import-status.ts'

const DELIMITERS = [
  { value: ',', label: 'Comma (,)' },
  { value: ';', label: 'Semicolon (;)' },
] as const

type Chosen = {
  file: File
  /** The same import again, until anything about it changes. */
  key: string
}

type Refusal = { file: string; problems: readonly string[] }

export default function ImportPage() {
  const { data: status } = useQuery({ ...importStatus, refetchOnMount: 'always' })
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const [delimiter, setDelimiter] = useState<string>(',')
  const [updateExisting, setUpdateExisting] = useState(false)
  /** How far the upload is, 0 to 1; null while nothing is uploaded. */
  const [uploaded, setUploaded] = useState<number | null>(null)
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  /** The import whose result another file has put aside. */
  const [past, setPast] = useState<number | null>(null)
  const isPast = status && status.import_id === past && !isRunning(status)

  // While it uploads, the button is disabled and loses the focus.
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (refusal && document.activeElement === document.body) button.current?.focus()
  }, [refusal])

  const choose = async (file: File) => {
    setChosen({ file, key: idempotencyKey() })
    setRefusal(null)
    if (status && !isRunning(status)) setPast(status.import_id)
    const guess = await guessDelimiter(file)
    if (guess) setDelimiter(guess)
  }
  const anotherImport = () => setChosen((now) => now && { ...now, key: idempotencyKey() })

  const start = async () => {
    if (!chosen || uploaded !== null) return
    const body = new FormData()
    body.set('update_existing', String(updateExisting))
    body.set('delimeter', delimiter) // spelled as the API has it
    body.set('csv', chosen.file)
    setRefusal(null)
    setPast(status?.import_id ?? null)
    setUploaded(0)
    try {
      await api.post('stock/import/csv', { body, idempotent: chosen.key, onProgress: setUploaded, tellsTrouble: true })
      setChosen(null)
      await queryClient.invalidateQueries({ queryKey: ['import'] })
      setPast(null)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const named = Object.values(error.errors)
      const problems = named.length ? named : [error.message]
      setRefusal({ file: chosen.file.name, problems })
      // Whoever has left meanwhile is told where they are now.
      if (!button.current)
        showToast({ type: 'error', title: `${chosen.file.name} was not imported`, message: problems.join(' ') })
    } finally {
      setUploaded(null)
    }
  }

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
        <Panel>
          <form
            onSubmit={(event) => {
              event.preventDefault()
              void start()
            }}
          >
            <Stack gap="md">
              <FileDrop
                kind="csv"
                file={chosen?.file ?? null}
                disabled={uploaded !== null}
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
                <Alert
                  color="red"
                  role="alert"
                  title={`${refusal.file} was not imported`}
                  icon={<IconAlertTriangle size={18} />}
                >
                  {refusal.problems.map((problem) => (
                    <Text key={problem} size="sm">
                      {problem}
                    </Text>
                  ))}
                </Alert>
              )}
              <Group justify="space-between">
                <Text size="sm" c="dimmed">
                  Prices in currency units, as 249.90 or 249,90.{' '}
                  <Anchor size="sm" underline="always" href={apiUrl('stock/import/csv_template')}>
                    All columns are in the template.
                  </Anchor>
                </Text>
                <Group gap="sm">
                  {uploaded !== null && (
                    <Text size="sm" c="dimmed" role="status">
                      {uploaded < 1 ? `Uploading… ${Math.floor(uploaded * 100)}%` : 'Reading the file…'}
                    </Text>
                  )}
                  <Button ref={button} type="submit" disabled={!chosen} loading={uploaded !== null}>
                    Import
                  </Button>
                </Group>
              </Group>
            </Stack>
          </form>
        </Panel>
        {!isPast && <ImportProgress status={status} />}
      </Stack>
    </>
  )
}
