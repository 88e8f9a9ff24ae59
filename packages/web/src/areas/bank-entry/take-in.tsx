import type { WriteAnswer } from '@backstock/contract/answer.ts'
import type { BankFileRead } from '@backstock/contract/bank-entry.ts'
import { Button, FileButton } from '@mantine/core'
import IconUpload from '@tabler/icons-react/dist/esm/icons/IconUpload.mjs'
import { Suspense, useState } from 'react'
import { api } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'
import { lazyPart } from '../../api/lazy-part.ts'
import { invalidate } from '../../api/reads.ts'
import { errorDialog } from '../../ui/feedback/confirm-dialog.tsx'
import type { FileKind } from '../../ui/fields/file-drop.tsx'
import { sameFileAgain } from '../../ui/fields/same-file-again.ts'

const DropAnywhere = lazyPart(async () => ({ default: (await import('../../ui/fields/file-drop.tsx')).DropAnywhere }))
const FileDrop = lazyPart(async () => ({ default: (await import('../../ui/fields/file-drop.tsx')).FileDrop }))

const BANK_FILE: FileKind = {
  endings: ['.xml', '.zip', '.sta', '.mt940', '.940', '.swi', '.txt', '.c53', '.camt'],
  refusal: 'Only bank statements are allowed: CAMT.053 (.xml), MT940 (.sta), or a ZIP file of these',
  name: 'bank',
}

/** Uploads a bank's file. If the server refuses the file, a dialog says so until it is closed. */
function useTakeIn() {
  const [sending, setSending] = useState(false)
  const send = async (file: File | null) => {
    if (!file || sending) return
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
  return { sending, send: (file: File | null) => void send(file) }
}

/** The button that uploads a bank's file. A file that is dropped anywhere on the screen is uploaded, too. */
export function TakeIn() {
  const { sending, send } = useTakeIn()
  return (
    <>
      <FileButton
        accept={BANK_FILE.endings.join(',')}
        disabled={sending}
        onChange={send}
        inputProps={{ 'aria-label': 'Bank file', onClick: sameFileAgain }}
      >
        {(props) => (
          <Button {...props} variant="default" loading={sending} leftSection={<IconUpload size={16} stroke={1.6} />}>
            Import a bank file
          </Button>
        )}
      </FileButton>
      <Suspense>
        <DropAnywhere kind={BANK_FILE} onFile={send} disabled={sending} />
      </Suspense>
    </>
  )
}

/** The field for the first file. */
export function FirstFile() {
  const { sending, send } = useTakeIn()
  return (
    <Suspense>
      <FileDrop kind={BANK_FILE} file={null} onFile={send} loading={sending} />
    </Suspense>
  )
}
