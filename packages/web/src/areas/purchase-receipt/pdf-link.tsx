import type { PurchaseReceiptRow } from '@backstock/contract/purchase-receipt.ts'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import { apiUrl } from '../../api/client.ts'
import classes from '../../ui/table/columns.module.css'

/** Opens the PDF of a receipt in a tab, from which a person prints it for the seller to sign. */
export function PdfLink({ receipt: { id, number } }: { receipt: Pick<PurchaseReceiptRow, 'id' | 'number'> }) {
  return (
    <a
      className={classes['file']}
      href={apiUrl(`purchase-receipt/${id}/pdf`, { view: 1 })}
      target="_blank"
      rel="noreferrer"
      aria-label={`PDF of ${number}`}
      title="Show the PDF"
    >
      <IconDownload size={16} />
    </a>
  )
}
