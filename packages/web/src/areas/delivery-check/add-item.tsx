import { compactIdentifier, imeiProblem } from '@backstock/contract/imei.ts'
import { TextLink } from '../../ui/values/link.tsx'

/** A link to the form of a new item, filled in with this code. */
export function AddItem({ code }: { code: string }) {
  const compact = compactIdentifier(code)
  const query = imeiProblem(compact) === null ? { imei: compact } : { serial_number: code }
  return (
    <TextLink
      to={`/admin/stock/create?${new URLSearchParams(query)}`}
      size="sm"
      underline="always"
      aria-label={`Add ${code}`}
    >
      Add
    </TextLink>
  )
}
