import type { ImportStatus } from '@backstock/contract/import.ts'
import { Alert, Group, Progress, Stack, Text } from '@mantine/core'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import type { Ref } from 'react'
import { Panel } from '../../ui/layout/panel.tsx'
import { TextLink } from '../../ui/values/link.tsx'
import { ImportReceipt } from '../delivery-check/import-receipt.tsx'
import { ImportLinks } from './import-links.tsx'
import { breakOff, importName, isRunning, outcome } from './import-status.ts'
import { isUndoing, undoButton } from './undo/undo.ts'

/**
 * The colour of an import that has ended: green if every row succeeded, orange if some failed, red if all did or it
 * broke off, grey if it is undone.
 */
function colourOfEnd(status: ImportStatus): string {
  if (isUndoing(status.undo) || status.undo === 'undone') return 'gray'
  if (breakOff(status) !== null || status.successed_rows === 0) return 'red'
  return status.failed_rows > 0 ? 'orange' : 'green'
}

/**
 * Scrolling leaves room for the bars at the top and bottom of the page, and for the links to the next step, which
 * appear later.
 */
const SCROLLED = { scrollMarginBlock: '80px 300px' }

type Props = {
  status: ImportStatus | undefined
  /** The element that the screen scrolls to. */
  ref?: Ref<HTMLParagraphElement>
  /** Leaves out what the history below shows anyway. */
  isBrief?: boolean
}

/** The progress bar and the counts of the person's newest import. Draws nothing if there is none. */
export function ImportProgress({ status, ref, isBrief = false }: Props) {
  if (!status || status.progress < 0) return null
  const { progress, import_id, file_name, processed_rows, total_rows, errors } = status
  const running = isRunning(status)
  const brokeOff = breakOff(status) !== null
  const end =
    status.undo === 'undone' ? 'Undone' : isUndoing(status.undo) ? 'Being undone' : brokeOff ? 'Stopped' : 'Finished'
  const title = running ? (progress === 0 ? 'Waiting to start' : 'Importing') : end
  return (
    <Panel>
      <Stack gap="xs">
        <Group justify="space-between" align="start" wrap="nowrap">
          <Text ref={ref} fw={600} role="status" style={{ overflowWrap: 'anywhere', ...SCROLLED }}>
            {title}: {importName(file_name, import_id)}
          </Text>
          <Text size="sm">{progress}%</Text>
        </Group>
        <Progress.Root size="lg">
          <Progress.Section
            value={progress}
            color={running ? 'accent' : colourOfEnd(status)}
            animated={running}
            aria-label="Import progress"
          />
        </Progress.Root>
        <Group justify="space-between" gap="xs">
          <Text size="sm" c="dimmed">
            {processed_rows.toLocaleString('en')} of {total_rows.toLocaleString('en')} processed: {outcome(status)}
          </Text>
          {!running && (
            <TextLink to={`/admin/stock/import/history?id=${import_id}`} size="sm">
              Show every row
            </TextLink>
          )}
        </Group>
        {!running && import_id !== null && status.successed_rows > 0 && status.undo !== 'undone' && (
          <ImportReceipt importId={import_id} />
        )}
        {!running && !isBrief && import_id !== null && (
          <ImportLinks
            id={import_id}
            name={importName(file_name, import_id)}
            successed={status.successed_rows}
            failed={status.failed_rows}
            undo={undoButton(status.undo, status.successed_rows > 0)}
          />
        )}
        {!isBrief && errors.length > 0 && (
          <Stack gap={6} role="alert" aria-label="Import errors">
            {errors.map((error) => (
              <Alert key={error} color="red" role="note" py={8} icon={<IconAlertTriangle size={18} />}>
                {error}
              </Alert>
            ))}
          </Stack>
        )}
      </Stack>
    </Panel>
  )
}
