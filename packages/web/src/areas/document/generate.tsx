import type { WriteAnswer } from '@backstock/contract/answer.ts'
import type { Document } from '@backstock/contract/document.ts'
import { ActionIcon } from '@mantine/core'
import IconFilePlus from '@tabler/icons-react/dist/esm/icons/IconFilePlus.mjs'
import { api } from '../../api/client.ts'
import { invalidate } from '../../api/reads.ts'
import { useAct } from '../../ui/feedback/use-act.ts'

/**
 * A button that makes the file of a document that has a number but no file. The accounts need a file for every number.
 */
export function Generate({ document: { id, number } }: { document: Document }) {
  const [running, run] = useAct()
  const generate = async () => {
    await run(() => api.post<WriteAnswer<Document>>(`document/${id}/generate`, { body: {} }))
    void invalidate('document', 'sale')
  }
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={30}
      loading={running}
      aria-label={`Generate ${number}`}
      title="Generate the PDF"
      onClick={() => void generate()}
    >
      <IconFilePlus size={16} />
    </ActionIcon>
  )
}
