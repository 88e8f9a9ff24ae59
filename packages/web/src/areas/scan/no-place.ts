import { readCode, withoutSymbology } from '@backstock/contract/scan-code.ts'
import type { ScanFindAnswer } from '@backstock/contract/stock-scan.ts'
import { api } from '../../api/client.ts'

const SHELF = 'Scan the label of the shelf.'

/** The location that a typed or scanned text names. Scanners may put a mark for the kind of code in front. */
export const placeOf = (text: string) => withoutSymbology(text.trim()).trim()

/**
 * The message if a text names a device and not a location, for example because a phone was scanned too early; null
 * otherwise.
 */
export async function whyNoPlace(text: string): Promise<string | null> {
  const code = readCode(text)
  if (!code) return null
  if (code.item !== null) return `That is the number of an item, #${code.item}. ${SHELF}`
  if (code.lookUps.some(({ asImei }) => asImei)) return `That is the IMEI of a device. ${SHELF}`
  const { data } = await api.post<ScanFindAnswer>('stock/scan-find', {
    ...{ body: { codes: [text] }, silent: true, tellsTrouble: true },
  })
  const [found] = data
  if (found?.item) return `That is item #${found.item.id}, ${found.item.product_display_name}. ${SHELF}`
  // A text that is merely a code, such as an EAN, may be the name of a location.
  return found?.message && found.message !== code.hint ? found.message : null
}
