import type { WriteAnswer } from '@backstock/contract/answer.ts'
import type { Document } from '@backstock/contract/document.ts'
import { ActionIcon } from '@mantine/core'
import IconFilePlus from '@tabler/icons-react/dist/esm/icons/IconFilePlus.mjs'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'
import { invalidate } from '../../api/reads.ts'

/**
 * A button that makes the file of a document that has a number but no file. The accounts need a file for every number.
 */
export function Generate({ document: { id, number } }: { document: Document }) {
  const [running, setRunning] = useState(false)
  const generate = async () => {
    setRunning(true)
    try {
      await api.post<WriteAnswer<Document>>(`document/${id}/generate`, { body: {} })
    } catch (error) {
      // A toast has shown the reason. The list is read again.
      if (!(error instanceof ApiError)) throw error
    } finally {
      setRunning(false)
      void invalidate('document', 'sale')
    }
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
