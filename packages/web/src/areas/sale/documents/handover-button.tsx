import type { Document } from '@backstock/contract/document.ts'
import type { Sale } from '@backstock/contract/sale.ts'
import { Button } from '@mantine/core'
import { queryClient } from '../../../api/query-client.ts'
import { invalidate, record } from '../../../api/reads.ts'
import { useAuth } from '../../../api/session.ts'
import { handOver, mayHandOver } from '../../document/handover.ts'
import { useSaleWrites } from '../sale-record.ts'

type Props = { name: string; document: Document; sale: Sale; lacks: string | undefined }

/** The button that hands a document over to the connector. Draws nothing if the document cannot be handed over now. */
export default function HandoverButton({ name, document, sale, lacks }: Props) {
  const { hasConnector } = useAuth()
  const { running, run } = useSaleWrites(sale.id)
  if (!mayHandOver(document, hasConnector)) return null
  const order = () =>
    run('hand over', async () => {
      if (await handOver(document)) void invalidate('document')
      return { data: await queryClient.fetchQuery({ ...record<Sale>('sale', sale.id), staleTime: 0 }) }
    })
  return (
    <Button
      variant="default"
      aria-label={`Hand over ${name}`}
      disabled={lacks !== undefined}
      title={lacks}
      loading={running === 'hand over'}
      onClick={() => void order()}
    >
      Hand over
    </Button>
  )
}
