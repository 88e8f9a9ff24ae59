import { compactIdentifier, mistypedImei } from '@backstock/contract/imei.ts'
import type { QuickOrderAnswer } from '@backstock/contract/stock.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'

/** The items that pasted lines mean. It is a read, but sent by POST, since the lines may be long. */
export const lookUp = (lines: readonly string[]) =>
  queryOptions({
    queryKey: ['stock', 'quick-order', lines],
    queryFn: ({ signal }) =>
      api.post<QuickOrderAnswer>('stock/quick-order-find', { body: lines, silent: true, signal }),
    enabled: lines.length > 0,
    placeholderData: keepPreviousData,
  })

/**
 * The pasted lines without the empty lines and those that have only dashes. Tabs inside a line stay, since they
 * separate columns.
 */
export const linesOf = (text: string) =>
  text
    .split(/\r?\n|\r/)
    .map((line) => line.trim())
    .filter((line) => compactIdentifier(line) !== '')

/** A key that ignores case, spaces and dashes. */
export const lineKey = (line: string) => compactIdentifier(line).toUpperCase()

/** A text without these lines. All others stay as they are, also those that were typed since the lines were read. */
export function withoutLines(text: string, lines: readonly string[]): string {
  const gone = new Set(lines.map(lineKey))
  const left = text.split(/\r?\n|\r/).filter((line) => !gone.has(lineKey(line)))
  return left.join('\n').trimStart()
}

/** Why a line means no item: its IMEI is mistyped. Null if nobody knows why. */
export const whyMissed = (line: string): string | null => mistypedImei(compactIdentifier(line))

/** Lines without an item, as a person reads them. */
export const missedLines = (lines: readonly string[]): string[] => lines.map((line) => whyMissed(line) ?? line)
