import type { FieldErrors, WriteAnswer } from '@backstock/contract/answer.ts'
import type { Customer } from '@backstock/contract/customer.ts'
import type { CorrectInput } from '@backstock/contract/document.ts'
import type { Hundredths } from '@backstock/contract/money.ts'
import type { Sale } from '@backstock/contract/sale.ts'
import type { TaxFacts } from '@backstock/contract/tax-facts.ts'
import { unpricedItems } from '@backstock/contract/why-no-price.ts'
import { Alert, Button, Checkbox, Text, Title } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useCallback, useDeferredValue, useLayoutEffect, useMemo, useReducer, useRef, useState } from 'react'
import { api } from '../../../api/client.ts'
import { invalidate } from '../../../api/reads.ts'
import { useFoundDraft } from '../../../ui/feedback/kept-draft.ts'
import { type KeptFormProps, useKeptForm } from '../../../ui/feedback/kept-form.ts'
import { useSave } from '../../../ui/feedback/use-save.ts'
import { Panel } from '../../../ui/layout/panel.tsx'
import { recordPath, TextLink } from '../../../ui/values/link.tsx'
import classes from '../sale.module.css'
import { correctNote, openItems, standingInvoice } from '../sale-papers.ts'
import { takeOver } from '../sale-record.ts'
import { sameKey } from '../same-key.ts'
import corrections from './correct.module.css'
import {
  type CorrectAction,
  changedLines,
  changeLines,
  correctedItems,
  correctTax,
  correctTotals,
  type KeptCorrection,
  keepsSeries,
  keptCorrection,
} from './lines.ts'
import { CorrectProducts } from './products.tsx'
import { CorrectTotals } from './totals.tsx'

type Props = KeptFormProps & { sale: Sale; facts: TaxFacts; customer: Customer; takesOver: boolean }
type Answer = WriteAnswer<{ sale: Sale }>

/**
 * The new lines of a sale, and the choices beside them. The browser keeps them from the first change on; `finish` ends
 * that when the sale is corrected.
 */
function useKeptCorrection({ sale, takesOver, onKept, onDiscard }: Omit<Props, 'facts' | 'customer'>) {
  const items = useMemo(() => openItems(sale), [sale])
  const name = `correction ${sale.id}`
  const found = useFoundDraft<KeptCorrection>(name)
  const [lines, change] = useReducer(changeLines, [], (none) => {
    const begun = changeLines(none, { type: 'items', items })
    return found ? changeLines(begun, { type: 'restore', kept: found.lines }) : begun
  })
  const [isTakenOver, setTakenOver] = useState(takesOver || (found?.isTakenOver ?? false))
  const [sendEmail, setSendEmail] = useState(found?.sendEmail ?? false)
  const [touched, setTouched] = useState(found !== null)
  const kept = useMemo<KeptCorrection | null>(
    () => (touched ? { lines: keptCorrection(lines), isTakenOver, sendEmail } : null),
    [touched, lines, isTakenOver, sendEmail],
  )
  const finish = useKeptForm(name, kept, { isFound: found !== null, onKept, onDiscard })
  useLayoutEffect(() => change({ type: 'items', items }), [items])
  return { lines, change, isTakenOver, setTakenOver, sendEmail, setSendEmail, setTouched, finish }
}

/**
 * The form that corrects the prices and the buyer of a sale. Typed values survive a failed request, and leaving the
 * screen.
 */
export function CorrectForm({ sale, facts, customer, takesOver, onKept, onDiscard }: Props) {
  const navigate = useNavigate()
  const kept = useKeptCorrection({ sale, takesOver, onKept, onDiscard })
  const { lines, change, isTakenOver, sendEmail, setTouched } = kept
  const [errors, setErrors] = useState<FieldErrors>({})
  const [message, setMessage] = useState<string | null>(null)
  const [wanting, setWanting] = useState(false)
  const [keyOf] = useState(sameKey)
  const element = useRef<HTMLDivElement>(null)
  const { saving, save, focusTrouble } = useSave({
    form: element,
    title: 'The sale was not corrected',
    async onRefused(error) {
      // Somebody else may have changed the sale meanwhile, so it is read again.
      if (error.status === 409 || error.errors['items']) await invalidate('sale', 'customer')
      setErrors(error.errors)
      setMessage(error.errors['items'] ? null : error.message)
    },
  })

  const changeLine = useCallback(
    (action: CorrectAction) => {
      change(action)
      setTouched(true)
      setErrors({})
      setMessage(null)
    },
    [change, setTouched],
  )

  const shown = useDeferredValue(lines)
  const deciding = useMemo(() => ({ sale, facts, customer, isTakenOver }), [sale, facts, customer, isTakenOver])
  const tax = useMemo(() => correctTax(shown, deciding), [shown, deciding])
  const { before, after } = useMemo(() => correctTotals(shown, tax, sale), [shown, tax, sale])
  const changed = useMemo(() => changedLines(shown, tax).length, [shown, tax])
  const invoice = standingInvoice(sale)
  const isSameSeries = !invoice || keepsSeries(invoice.number, shown, tax, isTakenOver)

  const correct = async () => {
    // Calculated again, because `shown` may lack the text that was typed last.
    const isChanged = isTakenOver || changedLines(lines, correctTax(lines, deciding)).length > 0
    if (saving || !isChanged) return
    setErrors({})
    setMessage(null)
    const unpriced = lines.filter(({ price }) => price === null)
    setWanting(unpriced.length > 0)
    if (unpriced.length > 0) {
      setErrors({ items: unpricedItems(unpriced) })
      focusTrouble()
      return
    }
    const { updated_at } = sale
    const body: CorrectInput = {
      customer: isTakenOver,
      items: correctedItems(lines),
      send_email: sendEmail,
      updated_at,
    }
    await save(async () => {
      const call = { body, idempotent: keyOf(JSON.stringify(body)), tellsTrouble: true }
      const { data } = await api.post<Answer>(`sale/${sale.id}/correct`, call)
      kept.finish()
      await takeOver(data.sale)
      await navigate({ to: recordPath('sale', sale.id), search: { tab: 'summary' } as never })
      void invalidate('document', 'dashboard')
    })
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Ctrl+Enter in any field inside corrects the sale
    <div
      ref={element}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
        event.preventDefault()
        void correct()
      }}
    >
      {message && (
        <Alert color="red" role="alert" title="The sale was not corrected" mb="md">
          {message}
        </Alert>
      )}
      <div className={corrections['above']}>
        <CustomerPanel
          sale={sale}
          customer={customer}
          isTakenOver={isTakenOver}
          onTakeOver={(on) => {
            kept.setTakenOver(on)
            setTouched(true)
            setMessage(null)
          }}
        />
        <Panel>
          <CorrectTotals before={before} after={after} />
        </Panel>
      </div>
      <CorrectProducts
        lines={lines}
        tax={tax}
        errors={errors}
        wanting={wanting}
        includeVat={sale.prices_include_vat}
        onChange={changeLine}
      />
      <div className={classes['bar']}>
        <Button loading={saving} disabled={changed === 0 && !isTakenOver} onClick={() => void correct()}>
          Correct
        </Button>
        <Effect
          sale={sale}
          total={after.total_sales_price_vat}
          isSameSeries={isSameSeries}
          sendEmail={sendEmail}
          onSendEmail={kept.setSendEmail}
        />
      </div>
    </div>
  )
}

type EffectProps = {
  sale: Sale
  /** The sum of the sale after the correction. */
  total: Hundredths
  isSameSeries: boolean
  sendEmail: boolean
  onSendEmail: (on: boolean) => void
}

/** Says what the correction does to the invoice, and offers to send the new documents. */
function Effect({ sale, total, isSameSeries, sendEmail, onSendEmail }: EffectProps) {
  const invoice = standingInvoice(sale)
  return (
    <>
      <div className={corrections['does']} aria-live="polite">
        {correctNote(sale, total, isSameSeries)}
      </div>
      {invoice && (
        <Checkbox
          label={invoice.is_closed || !isSameSeries ? 'Send both by email' : 'Send it by email'}
          checked={sendEmail}
          onChange={(event) => onSendEmail(event.currentTarget.checked)}
        />
      )}
    </>
  )
}

type CustomerProps = {
  sale: Sale
  customer: Customer
  isTakenOver: boolean
  onTakeOver: (on: boolean) => void
}

/** Offers to take over the buyer's details as the customer has them today. */
function CustomerPanel({ sale, customer, isTakenOver, onTakeOver }: CustomerProps) {
  return (
    <Panel>
      <Title order={2} mb="md">
        Customer
      </Title>
      <Checkbox
        label="Use the customer's current details"
        description={aboutCustomer(sale)}
        checked={isTakenOver}
        onChange={(event) => onTakeOver(event.currentTarget.checked)}
      />
      <Text size="sm" mt="md">
        <TextLink to={recordPath('customer', sale.customer_id)} inherit>
          {customer.company_name ?? customer.full_name}
        </TextLink>
      </Text>
    </Panel>
  )
}

function aboutCustomer({ invoice_differs, documents }: Sale): string {
  if (invoice_differs.length)
    return `Changed since the sale was made: ${new Intl.ListFormat('en').format(invoice_differs)}.`
  return documents.length ? 'They have not changed since the sale was made.' : 'Name, VAT number and addresses.'
}
