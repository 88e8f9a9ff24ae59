import { type RefObject, useEffect, useRef, useState } from 'react'
import { ApiError } from '../../../api/error.ts'
import { showToast } from '../../../api/toast.ts'
import { type FileRefusal, refusalOf } from './refusal.tsx'

type Upload = {
  /** The next step with the uploaded file. */
  to: 'import' | 'preview'
  /** The uploaded part, from 0 to 1. */
  part: number
}

type FileUpload = {
  /** Null if no upload is under way. */
  upload: Upload | null
  refusal: FileRefusal | null
  forgetRefusal: () => void
  /** The button of the form. It is null once the person has left the screen. */
  button: RefObject<HTMLButtonElement | null>
  send: (file: File, to: Upload['to'], call: (onProgress: (part: number) => void) => Promise<void>) => Promise<void>
}

/** Uploads a file, and keeps the server's message if it refuses the file. */
export function useUpload(): FileUpload {
  const [upload, setUpload] = useState<Upload | null>(null)
  const [refusal, setRefusal] = useState<FileRefusal | null>(null)
  // The button is disabled during an upload and so loses the focus. After a refusal it gets the focus back.
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (refusal && document.activeElement === document.body) button.current?.focus()
  }, [refusal])

  return {
    upload,
    refusal,
    forgetRefusal: () => setRefusal(null),
    button,
    async send(file, to, call) {
      setRefusal(null)
      setUpload({ to, part: 0 })
      try {
        await call((part) => setUpload({ to, part }))
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        const refused = refusalOf(error, file, to)
        setRefusal(refused)
        // If the person has left this screen, a toast shows the message.
        if (!button.current) showToast({ type: 'error', title: refused.title, message: refused.problems.join(' ') })
      } finally {
        setUpload(null)
      }
    },
  }
}
