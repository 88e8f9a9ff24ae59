import { Anchor, Button, Group } from '@mantine/core'
import IconArrowBackUp from '@tabler/icons-react/dist/esm/icons/IconArrowBackUp.mjs'
import IconDevices from '@tabler/icons-react/dist/esm/icons/IconDevices.mjs'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import IconFileInvoice from '@tabler/icons-react/dist/esm/icons/IconFileInvoice.mjs'
import IconPrinter from '@tabler/icons-react/dist/esm/icons/IconPrinter.mjs'
import { useRef, useState } from 'react'
import { apiUrl } from '../../api/client.ts'
import { TextLink } from '../../ui/values/link.tsx'
import { PrintLabels } from '../label/labels.tsx'
import { itemsOfImport } from './import-status.ts'
import { UndoDialog } from './undo/undo-dialog.tsx'

type Props = {
  id: number
  name: string
  successed: number
  failed: number
  /** Adds a link to the file of all rows with their results. */
  all?: boolean
  /** The label of the button that undoes the import. If it is left out, there is no such button. */
  undo?: string | undefined
}

/** Actions for an import that has ended: look at its items, print their labels, correct failed rows, undo it. */
export function ImportLinks({ id, name, successed, failed, all = false, undo }: Props) {
  const [asking, setAsking] = useState(false)
  const print = useRef<HTMLButtonElement>(null)
  const [printing, setPrinting] = useState(false)
  return (
    <Group gap="8px 18px">
      {successed > 0 && (
        <TextLink to={itemsOfImport(id)} size="sm">
          <Group gap={4} component="span" wrap="nowrap">
            <IconDevices size={15} stroke={1.6} />
            Show its items
          </Group>
        </TextLink>
      )}
      {successed > 0 && (
        <Anchor ref={print} component="button" type="button" size="sm" onClick={() => setPrinting(true)}>
          <Group gap={4} component="span" wrap="nowrap">
            <IconPrinter size={15} stroke={1.6} />
            Print labels
          </Group>
        </Anchor>
      )}
      {successed > 0 && (
        <TextLink to={`/admin/purchase-receipt/create?import_id=${id}`} size="sm">
          <Group gap={4} component="span" wrap="nowrap">
            <IconFileInvoice size={15} stroke={1.6} />
            Purchase receipt
          </Group>
        </TextLink>
      )}
      {failed > 0 && (
        <Download href={apiUrl(`stock/import/history/${id}/csv`, { only: 'failed' })} text="Download failed rows" />
      )}
      {all && <Download href={apiUrl(`stock/import/history/${id}/csv`)} text="Download all as CSV" />}
      {undo && (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconArrowBackUp size={15} stroke={1.6} />}
          onClick={() => setAsking(true)}
        >
          {undo}
        </Button>
      )}
      {printing && <PrintLabels of={{ importId: id }} backTo={print} onClose={() => setPrinting(false)} />}
      {asking && <UndoDialog id={id} name={name} onClose={() => setAsking(false)} />}
    </Group>
  )
}

function Download({ href, text }: { href: string; text: string }) {
  return (
    <Anchor size="sm" href={href}>
      <Group gap={4} component="span" wrap="nowrap">
        <IconDownload size={15} stroke={1.6} />
        {text}
      </Group>
    </Anchor>
  )
}
