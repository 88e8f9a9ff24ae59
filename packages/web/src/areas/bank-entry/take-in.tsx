import type { WriteAnswer } from '@backstock/contract/answer.ts'
import type { BankFileRead } from '@backstock/contract/bank-entry.ts'
import { Button, FileButton } from '@mantine/core'
import IconUpload from '@tabler/icons-react/dist/esm/icons/IconUpload.mjs'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'
import { invalidate } from '../../api/reads.ts'
import { errorDialog } from '../../ui/feedback/confirm-dialog.tsx'
import { sameFileAgain } from '../../ui/fields/same-file-again.ts'

const ENDINGS = '.xml,.zip,.sta,.mt940,.940,.swi,.txt,.c53,.camt'

/** The button that uploads a bank's file. If the server refuses the file, a dialog says so until it is closed. */
export function TakeIn({ variant = 'default' }: { variant?: 'default' | 'filled' }) {
  const [sending, setSending] = useState(false)
  const send = async (file: File | null) => {
    if (!file) return
    setSending(true)
    const body = new FormData()
    body.append('file', file)
    try {
      await api.post<WriteAnswer<BankFileRead>>('bank-entry/file', { body, tellsTrouble: true })
      await invalidate('bank-entry')
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      errorDialog(error.errors['file'] ?? error.message)
    } finally {
      setSending(false)
    }
  }
  return (
    <FileButton
      accept={ENDINGS}
      disabled={sending}
      onChange={(file) => void send(file)}
      inputProps={{ 'aria-label': 'File of your bank', onClick: sameFileAgain }}
    >
      {(props) => (
        <Button {...props} variant={variant} loading={sending} leftSection={<IconUpload size={16} stroke={1.6} />}>
          Import a bank file
        </Button>
      )}
    </FileButton>
  )
}
