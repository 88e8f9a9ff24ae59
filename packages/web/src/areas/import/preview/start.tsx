import { Button, FileButton, Stack, Text, Title } from '@mantine/core'
import IconFileSpreadsheet from '@tabler/icons-react/dist/esm/icons/IconFileSpreadsheet.mjs'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { errorDialog } from '../../../ui/feedback/confirm-dialog.tsx'
import { RemoteSelect } from '../../../ui/fields/remote-select.tsx'
import { sameFileAgain } from '../../../ui/fields/same-file-again.ts'
import { Panel } from '../../../ui/layout/panel.tsx'
import { openPreview, previewScreen } from './preview.ts'
import classes from './start.module.css'

type Props = {
  supplier: number | null
  onSupplier: (id: number | null) => void
  disabled: boolean
  onFile: (file: File) => void
}

/** Whose file is looked at before it is imported, and the chooser for an Excel workbook. */
export function PreviewStart({ supplier, onSupplier, disabled, onFile }: Props) {
  const { data: open } = useQuery({ ...openPreview, refetchOnMount: 'always' })
  const choose = (file: File | null) => {
    if (!file) return
    // The server says what an .xls is, and what to do with it.
    if (/\.(csv|xlsx?)$/i.test(file.name)) onFile(file)
    else errorDialog('Only Excel (.xlsx) and CSV files can be previewed')
  }
  return (
    <Panel>
      <Stack gap="sm">
        <div className={classes['head']}>
          <div>
            <Title order={2}>Preview</Title>
            <Text size="sm" c="dimmed">
              Shows what a file will do before anything is written. It takes any supplier's columns, prices and dates,
              and Excel too.{open && ` A new preview takes the place of that of ${open.file_name}.`}
            </Text>
          </div>
          {open && (
            <Button component={Link} to={previewScreen(open.import_id)} variant="light" title={open.file_name}>
              Continue the preview
            </Button>
          )}
        </div>
        <div className={classes['choices']}>
          <RemoteSelect
            area="supplier"
            label="Supplier of the file"
            placeholder="Not said"
            description="What its columns mean is remembered for this supplier."
            value={supplier}
            disabled={disabled}
            onChange={onSupplier}
          />
          <FileButton
            accept=".csv,.xlsx,.xls"
            disabled={disabled}
            onChange={choose}
            inputProps={{ 'aria-label': 'Excel or CSV file to preview', onClick: sameFileAgain }}
          >
            {(props) => (
              <Button
                {...props}
                variant="default"
                disabled={disabled}
                leftSection={<IconFileSpreadsheet size={16} stroke={1.6} />}
              >
                Choose an Excel or CSV file to preview
              </Button>
            )}
          </FileButton>
        </div>
      </Stack>
    </Panel>
  )
}
