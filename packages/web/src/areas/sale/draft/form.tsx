import type { FieldErrors } from '@backstock/contract/answer.ts'
import type { Sale } from '@backstock/contract/sale.ts'
import { unpricedItems } from '@backstock/contract/why-no-price.ts'
import { Tabs } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { queryClient } from '../../../api/query-client.ts'
import { invalidate, record } from '../../../api/reads.ts'
import type { KeptFormProps } from '../../../ui/feedback/kept-form.ts'
import { useSave } from '../../../ui/feedback/use-save.ts'
import { soldSaleItems } from '../../basket/storage-data.ts'
import { DraftBar } from './bar.tsx'
import { saleFields } from './fields.ts'
import type { SaleSource } from './items-source.ts'
import { useKeptSale } from './kept-sale.ts'
import type { DraftAction } from './lines.ts'
import { DraftProducts } from './products.tsx'
import { draftSender } from './send.ts'
import { DraftSummary } from './summary.tsx'
import { type DraftTab, DraftTrouble, needsMessage, ON_TAB, tabMark, tabToMend } from './trouble.tsx'
import { useDraftFigures } from './use-figures.ts'

/** The form of a new sale. Typed values survive a failed request, and leaving the screen. */
export function DraftForm({ source, onKept, onDiscard }: KeptFormProps & { source: SaleSource }) {
  const { batch } = source
  const navigate = useNavigate()
  const kept = useKeptSale(source, { onKept, onDiscard })
  const { draft, customer, options } = kept
  const computed = useDraftFigures(source, kept)
  const { selling, tax, figures, refused, excel, totals } = computed
  const [tab, setTab] = useState<DraftTab>('products')
  const [errors, setErrors] = useState<FieldErrors>({})
  const [message, setMessage] = useState<string | null>(null)
  const element = useRef<HTMLDivElement>(null)
  const [send] = useState(draftSender)

  const refuse = (found: FieldErrors, text: string) => {
    setErrors(found)
    setMessage(needsMessage(found) ? text : null)
    setTab((now) => tabToMend(found, now))
  }
  const { saving, save, focusTrouble } = useSave({
    form: element,
    title: 'The sale was not made',
    async onRefused(error) {
      // Somebody else may have sold an item, changed its VAT or deleted the batch meanwhile. The data is read again, and
      // the form shows that.
      const isOutdated = error.status === 409 || error.errors['stock_items'] || error.errors['batch_id']
      if (isOutdated) await invalidate('stock', 'batch', 'vat', 'sale')
      refuse(error.errors, error.message)
    },
  })

  const touch = (...names: readonly string[]) => {
    kept.touch()
    setErrors((now) => Object.fromEntries(Object.entries(now).filter(([name]) => !names.includes(name))))
  }
  const changeLines = (action: DraftAction) => {
    kept.change(action)
    touch(...ON_TAB.products)
  }

  const create = async () => {
    if (saving || selling.length === 0) return
    setErrors({})
    setMessage(null)
    const unreadable = selling.filter((line) => line.wrong !== null)
    if (unreadable.length > 0) {
      refuse({ 'sale_price[]': unpricedItems(unreadable) }, '')
      focusTrouble()
      return
    }
    const fields = saleFields({ draft, selling, totals: totals(), customer, batch, options, excel })
    await save(async () => {
      const made = await send(fields)
      kept.finish()
      soldSaleItems(source.handed)
      queryClient.setQueryData(record<Sale>('sale', made.id).queryKey, made)
      await navigate({ to: `/admin/sale/edit/${made.id}`, search: { tab: 'summary' } as never })
      void invalidate('sale', 'stock', 'basket', 'batch', 'customer')
    })
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Ctrl+Enter in any field inside makes the sale
    <div
      ref={element}
      onKeyDown={(event) => {
        const here = element.current?.contains(event.target as Node)
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || !here) return
        event.preventDefault()
        void create()
      }}
    >
      {message && <DraftTrouble message={message} errors={errors} />}
      <Tabs value={tab} onChange={(to) => setTab(to as DraftTab)} keepMounted={false} keepMountedMode="display-none">
        <Tabs.List mb="md">
          <Tabs.Tab value="products" rightSection={tabMark('products', errors)}>
            Products ({draft.lines.length.toLocaleString('en')})
          </Tabs.Tab>
          <Tabs.Tab value="summary" rightSection={tabMark('summary', errors)}>
            Summary
          </Tabs.Tab>
        </Tabs.List>
        {/* The summary is drawn only while it is open. Hidden, it would make the first lines come later. */}
        <Tabs.Panel value="products" keepMounted>
          <DraftProducts
            draft={draft}
            tax={tax}
            refused={refused}
            errors={errors}
            includeVat={options.includeVat}
            onIncludeVat={(includeVat) => {
              touch()
              kept.setOptions({ ...options, includeVat })
            }}
            onChange={changeLines}
          />
        </Tabs.Panel>
        <Tabs.Panel value="summary">
          <DraftSummary
            source={source}
            kept={kept}
            computed={computed}
            errors={errors}
            onTouch={touch}
            onLines={changeLines}
          />
        </Tabs.Panel>
      </Tabs>
      <DraftBar
        selling={selling}
        figures={figures}
        refused={refused.length}
        saving={saving}
        onCreate={() => void create()}
      />
    </div>
  )
}
