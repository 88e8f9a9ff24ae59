import { Alert } from '@mantine/core'
import { useHasDraft } from '../../ui/feedback/kept-draft.ts'
import { TextLink } from '../../ui/values/link.tsx'

/** The name under which the browser keeps the correction of a sale. */
export const correctionDraft = (saleId: number) => `correction ${saleId}`

/** Says on a sale that the person has begun to correct it, and leads back to the correction. */
export function UnfinishedCorrection({ saleId }: { saleId: number }) {
  const isBegun = useHasDraft(correctionDraft(saleId))
  if (!isBegun) return null
  return (
    <Alert color="gray" mb="md" role="note">
      Your correction of this sale is not finished.{' '}
      <TextLink to={`/admin/sale/correct/${saleId}`} inherit underline="always">
        Continue the correction
      </TextLink>
    </Alert>
  )
}
