import type { Offer } from '@backstock/contract/offer.ts'
import { devicesIn, type OfferLine, type OfferTerms, offerLines, unpricedIn } from '@backstock/contract/offer-lines.ts'
import { offerText, priceWords } from '@backstock/contract/offer-text.ts'
import { readPercent } from '@backstock/contract/percent.ts'
import { Alert, Button, NativeSelect } from '@mantine/core'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { api, apiUrl, type Query } from '../../api/client.ts'
import type { Address } from '../../crud/list-state.ts'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { RemoteSelect } from '../../ui/fields/remote-select.tsx'
import { PageHeader } from '../../ui/layout/page-header.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import type { Column } from '../../ui/table/column.ts'
import { numberColumn, textColumn } from '../../ui/table/columns.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { RowPages, rowsOf } from '../../ui/table/paged-rows.tsx'
import { TextLink } from '../../ui/values/link.tsx'
import { withoutPrice } from '../../ui/values/without-price.ts'
import { CopyButton } from './copy-button.tsx'
import classes from './offer.module.css'
import { addressOf, listPath, SOURCES, type Source, sourceOf, sourceQuery } from './offer-source.ts'
import { OfferTermsFields, USUAL_TERMS } from './offer-terms.tsx'

const CRUMBS = [{ title: 'Stock', to: '/admin/stock' }, { title: 'Offer' }]

const offerRead = (query: Query | undefined) =>
  queryOptions({
    queryKey: ['stock', 'offer', query ?? null],
    queryFn: async ({ signal }) => (await api.get<{ data: Offer }>('offer', { query: query ?? {}, signal })).data,
    enabled: query !== undefined,
    placeholderData: keepPreviousData,
  })

/** An offer of stock to other shops, by product and grade: as text to paste, as Excel, and as PDF. */
export default function OfferPage() {
  const address = useSearch({ strict: false }) as Address
  const navigate = useNavigate()
  const query = useMemo(() => sourceQuery(address), [address])
  const found = useQuery(offerRead(query))
  const [typed, setTyped] = useState(USUAL_TERMS)
  const percent = readPercent(typed.percent)
  const isBad = percent === null
  const terms = useMemo(() => ({ ...typed, percent: percent ?? 0 }), [typed, percent])
  const offer = query && !found.isError ? found.data : undefined
  const lines = useMemo(() => offer && offerLines(offer.groups, terms), [offer, terms])
  const isReady = offer !== undefined && !found.isPlaceholderData && !isBad && lines?.length !== 0
  const text = useMemo(() => (isReady ? offerText(offer, terms) : undefined), [isReady, offer, terms])
  const go = (to: Address) => void navigate({ to: '/admin/offer', search: to as never, resetScroll: false })
  const source = sourceOf(address)
  return (
    <>
      <PageHeader
        title="Offer"
        crumbs={CRUMBS}
        note={offer && lines ? noteOf(lines, offer, terms) : ' '}
        actions={
          <>
            <CopyButton text={text} />
            <FileButton name="Excel" href={isReady ? fileUrl('xlsx', query, terms) : undefined} />
            <FileButton name="PDF" href={isReady ? fileUrl('pdf', query, terms) : undefined} />
          </>
        }
      />
      <Panel mb="md">
        <div className={classes['fields']}>
          <NativeSelect
            label="What is offered"
            data={sourcesFor(source)}
            value={source}
            onChange={(event) => go(addressOf(event.currentTarget.value as Source))}
          />
          {source === 'batch' && (
            <RemoteSelect
              area="batch"
              label="Batch"
              required
              value={Number(address['batch_id']) || null}
              onChange={(id) => go(addressOf('batch', id ?? undefined))}
            />
          )}
          <OfferTermsFields
            terms={typed}
            isBad={isBad}
            unpriced={offer ? unpricedIn(offer.groups) : 0}
            onChange={(change) => setTyped({ ...typed, ...change })}
          />
        </div>
        {source === 'filter' && (
          <TextLink to={listPath(address)} size="sm" underline="always">
            Change the filter
          </TextLink>
        )}
      </Panel>
      {found.isError && query ? (
        <ErrorState error={found.error} retry={() => void found.refetch()} />
      ) : (
        <div className={classes['parts']} aria-busy={found.isPlaceholderData}>
          <Lines
            lines={query ? lines : []}
            prices={typed.prices}
            dimmed={found.isPlaceholderData}
            empty={offer && query ? whyNothing(offer) : 'Choose the batch that is offered.'}
          />
          {text !== undefined && (
            <Panel className={classes['text'] ?? ''}>
              <h2>Text to paste</h2>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: people without a mouse scroll it with the keyboard */}
              <pre tabIndex={0}>{shortened(text)}</pre>
            </Panel>
          )}
          {offer && offer.not_sellable > 0 && (
            <Alert color="orange" className={classes['wide'] ?? ''}>
              {offer.not_sellable === 1 ? '1 item' : `${offer.not_sellable.toLocaleString('en')} items`} cannot be sold
              and {offer.not_sellable === 1 ? 'is' : 'are'} left out.
            </Alert>
          )}
        </div>
      )}
    </>
  )
}

const sourcesFor = (source: Source) =>
  Object.entries(SOURCES)
    .filter(([value]) => value !== 'filter' || source === 'filter')
    .map(([value, label]) => ({ value, label }))

function noteOf(lines: readonly OfferLine[], { groups }: Offer, { prices }: { prices: boolean }): string {
  const count = (n: number, one: string) => `${n.toLocaleString('en')} ${one}${n === 1 ? '' : 's'}`
  const left = unpricedIn(groups) - unpricedIn(lines)
  const shown = unpricedIn(lines)
  const unpriced = !prices
    ? ''
    : left > 0
      ? `, ${withoutPrice(left)} left out`
      : shown > 0
        ? `, ${withoutPrice(shown)}`
        : ''
  return `${count(devicesIn(lines), 'device')} in ${count(lines.length, 'line')}${unpriced}`
}

const fileUrl = (ending: string, query: Query | undefined, { percent, ...terms }: OfferTerms) =>
  apiUrl(`offer/${ending}`, { ...query, ...terms, percent: percent / 100 })

function FileButton({ name, href }: { name: string; href: string | undefined }) {
  if (href === undefined)
    return (
      <Button variant="default" disabled>
        {name}
      </Button>
    )
  return (
    <Button component="a" href={href} target="_blank" variant="default">
      {name}
    </Button>
  )
}

type Row = OfferLine & { id: number }
const BARE: readonly Column<Row>[] = [
  textColumn('Product', ({ product }) => product, { phone: 'lead' }),
  textColumn('Grade', ({ grade }) => grade, { width: 110 }),
  numberColumn('Quantity', ({ quantity }) => quantity, { width: 100, phone: 'end' }),
]
const PRICED: readonly Column<Row>[] = [
  ...BARE,
  { header: 'Price (EUR)', align: 'right', cell: (line) => priceWords(line, 'en') },
]

const whyNothing = ({ groups }: Offer) =>
  groups.length > 0
    ? 'None of them has a price, so all are left out.'
    : 'Nothing here can be offered: only what is In Stock or In Batch can be sold.'

type LinesProps = { lines: OfferLine[] | undefined; prices: boolean; dimmed: boolean; empty: string }

function Lines({ lines, prices, dimmed, empty }: LinesProps) {
  const [wanted, setPage] = useState(1)
  const all = useMemo(() => lines?.map((line, id): Row => ({ ...line, id })), [lines])
  const { rows, page, pages } = rowsOf(all ?? [], wanted)
  return (
    <Panel p={0} className={classes['lines'] ?? ''}>
      <DataTable
        label="Lines of the offer"
        columns={prices ? PRICED : BARE}
        rows={all && rows}
        dimmed={dimmed}
        empty={` ${empty}`}
      />
      <RowPages page={page} pages={pages} total={all?.length ?? 0} onPage={setPage} noun="lines" />
    </Panel>
  )
}

const SHOWN = 20_000

/** The text in a form for the screen. The button copies all of it. */
const shortened = (text: string) => (text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text)
