import { Skeleton } from '@mantine/core'
import { useState } from 'react'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import type { KeptForm } from '../../../ui/feedback/kept-form.ts'
import { KeptNote } from '../../../ui/feedback/kept-note.tsx'
import { PageHeader } from '../../../ui/layout/page-header.tsx'
import { Panel } from '../../../ui/layout/panel.tsx'
import { ItemsUnread } from '../../stock/items-unread.tsx'
import { DraftForm } from './form.tsx'
import { useSaleSource } from './items-source.ts'

const PLACES = ['first', 'second', 'third', 'fourth', 'fifth']

export default function SaleCreatePage() {
  const { source, error, retry } = useSaleSource()
  const [kept, setKept] = useState<KeptForm | null>(null)
  const [discards, setDiscards] = useState(0)
  const from = source?.batch && `From Batch #${source.batch.id} - ${source.batch.name}`
  return (
    <>
      <PageHeader
        title="New Sale"
        note={
          <>
            {from}
            {from && kept && '. '}
            {kept && <KeptNote isFound={kept.isFound} onDiscard={kept.discard} />}
          </>
        }
      />
      {source ? (
        <>
          {error && <ItemsUnread error={error} retry={retry} />}
          <DraftForm
            // Other items that were handed over are another sale, with a draft of its own.
            key={`${source.fromBatch} ${source.handed.join()} ${discards}`}
            source={source}
            onKept={setKept}
            onDiscard={() => setDiscards((count) => count + 1)}
          />
        </>
      ) : error ? (
        <ErrorState error={error} retry={retry} />
      ) : (
        <Panel>
          {PLACES.map((place) => (
            <Skeleton key={place} height={20} my="md" />
          ))}
        </Panel>
      )}
    </>
  )
}
