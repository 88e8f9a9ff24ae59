import { Button, VisuallyHidden } from '@mantine/core'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import { useEffect, useState } from 'react'
import { showToast } from '../../api/toast.ts'
import { copyText } from './copy-text.ts'

const SAID_MS = 3000

/** A button that copies a text and says so. It is disabled while the text is undefined. */
export function CopyButton({ text }: { text: string | undefined }) {
  const [copied, setCopied] = useState<string | null>(null)
  useEffect(() => {
    if (copied === null) return
    const timer = setTimeout(() => setCopied(null), SAID_MS)
    return () => clearTimeout(timer)
  }, [copied])
  // True if this text was copied, false again when the text changes.
  const done = copied !== null && copied === text
  const copy = async () => {
    if (text === undefined) return
    if (await copyText(text)) setCopied(text)
    else
      showToast({
        type: 'warning',
        message: 'The browser does not allow copying here. Select the text and copy it yourself.',
      })
  }
  return (
    <>
      <Button
        miw={134}
        disabled={text === undefined}
        leftSection={done ? <IconCheck size={16} /> : <IconCopy size={16} />}
        onClick={() => void copy()}
      >
        {done ? 'Copied' : 'Copy text'}
      </Button>
      <VisuallyHidden role="status">{done && 'The offer was copied.'}</VisuallyHidden>
    </>
  )
}
