/** The time that the browser gets to begin the download, before its address is revoked. */
const KEPT_MS = 60_000

/** Downloads content from memory, as a file of this name. */
export function saveFile(content: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT_MS)
}
