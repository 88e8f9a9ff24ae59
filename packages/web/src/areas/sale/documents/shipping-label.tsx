import type { Sale } from '@backstock/contract/sale.ts'
import { Button, Group, Text } from '@mantine/core'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import { apiUrl } from '../../../api/client.ts'
import { FileDrop, type FileKind } from '../../../ui/fields/file-drop.tsx'
import { useSaleWrites } from '../sale-record.ts'
import { uploadPdf } from './pdf-upload.ts'

const PDF: FileKind = { endings: ['.pdf'], refusal: 'Only PDF files are allowed', name: 'PDF' }

/** The shipping label: a PDF that people upload here and download for printing. */
export function ShippingLabel({ sale }: { sale: Sale }) {
  const { running, run } = useSaleWrites(sale.id)
  return (
    <>
      <Group mb="sm" mih={32}>
        {sale.shipping_label ? (
          <>
            <Text style={{ overflowWrap: 'anywhere' }}>{sale.shipping_label}</Text>
            <Button
              component="a"
              href={apiUrl(`sale/${sale.id}/label`)}
              target="_blank"
              variant="default"
              leftSection={<IconDownload size={16} />}
            >
              Download label
            </Button>
          </>
        ) : (
          <Text c="dimmed">No shipping label yet.</Text>
        )}
      </Group>
      <FileDrop
        kind={PDF}
        file={null}
        loading={running !== null}
        onFile={(file) => void run('label', () => uploadPdf(sale.id, 'shipping_label', file))}
      />
    </>
  )
}
