import { Skeleton } from '@mantine/core'
import { ErrorState } from '../../ui/error-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Panel } from '../../ui/panel.tsx'
import { ItemsUnread } from '../stock/items-unread.tsx'
import { DraftForm } from './draft-form.tsx'
import { useSaleSource } from './sale-items-source.ts'

const PLACES = ['first', 'second', 'third', 'fourth', 'fifth']

export default function SaleCreatePage() {
  const { source, error, retry } = useSaleSource()
  const from = source?.batch && `From Batch #${source.batch.id} - ${source.batch.name}`
  return (
    <>
      <PageHeader title="New Sale" {...(from ? { note: from } : {})} />
      {source ? (
        <>
          {error && <ItemsUnread error={error} retry={retry} />}
          <DraftForm source={source} />
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
