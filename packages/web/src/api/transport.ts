export type Wire = {
  method: string
  url: string
  headers: Record<string, string>
  body: BodyInit | null
  signal?: AbortSignal | undefined
  /** If the answer is a success, its body is read as a file. */
  isFile?: boolean | undefined
}
export type WireAnswer = { status: number; header: (name: string) => string | null; text: string; file?: Blob }

/**
 * Sends with fetch. Throws a TypeError if the server cannot be reached, and an AbortError if the signal aborts the
 * request.
 */
export async function viaFetch(wire: Wire): Promise<WireAnswer> {
  const response = await fetch(wire.url, {
    method: wire.method,
    headers: wire.headers,
    body: wire.body,
    credentials: 'same-origin',
    signal: wire.signal ?? null,
  })
  const answer = { status: response.status, header: (name: string) => response.headers.get(name) }
  if (wire.isFile && response.ok) return { ...answer, text: '', file: await response.blob() }
  return { ...answer, text: await response.text() }
}

/**
 * Sends with XMLHttpRequest, because fetch cannot report the progress of an upload. `onProgress` gets the sent part, 0
 * to 1. Throws the same errors as viaFetch.
 */
export function viaUpload(wire: Wire, onProgress: (part: number) => void): Promise<WireAnswer> {
  return new Promise((resolve, reject) => {
    const upload = new XMLHttpRequest()
    upload.open(wire.method, wire.url)
    upload.withCredentials = true
    for (const [name, value] of Object.entries(wire.headers)) upload.setRequestHeader(name, value)
    upload.upload.onprogress = (event) => {
      if (event.lengthComputable) onProgress(event.loaded / event.total)
    }
    upload.onload = () =>
      resolve({ status: upload.status, header: (name) => upload.getResponseHeader(name), text: upload.responseText })
    upload.onerror = () => reject(new TypeError('The upload was interrupted.'))
    upload.onabort = () => reject(new DOMException('The upload was cancelled.', 'AbortError'))
    wire.signal?.addEventListener('abort', () => upload.abort(), { once: true })
    upload.send(wire.body as XMLHttpRequestBodyInit | null)
  })
}
