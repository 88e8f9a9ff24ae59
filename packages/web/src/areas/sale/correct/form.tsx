import type { Customer } from '@backstock/contract/customer.ts'
import { currentDetails } from '@backstock/contract/invoice-differs.ts'
import type { Hundredths } from '@backstock/contract/money.ts'
import type { Sale } from '@backstock/contract/sale.ts'
import type { TaxFacts } from '@backstock/contract/tax-facts.ts'
import { Alert, Button, Checkbox, Text, Title } from '@mantine/core'
import { useCallback, useDeferredValue, useMemo, useRef } from 'react'
import type { KeptFormProps } from '../../../ui/feedback/kept-form.ts'
import { Panel } from '../../../ui/layout/panel.tsx'
import { recordPath, TextLink } from '../../../ui/values/link.tsx'
import classes from '../sale.module.css'
import { correctNote, standingInvoice } from '../sale-papers.ts'
import corrections from './correct.module.css'
import { useKeptCorrection } from './kept-correction.ts'
import { type CorrectAction, changedLines, correctTax, correctTotals, keepsSeries } from './lines.ts'
import { CorrectProducts } from './products.tsx'
import { CorrectTotals } from './totals.tsx'
import { useSend } from './use-send.ts'

type Props = KeptFormProps & { sale: Sale; facts: TaxFacts; customer: Customer; takesOver: boolean }

/**
 * The form that corrects the prices and the buyer of a sale. Typed values survive a failed request, and leaving the
 * screen.
 */
export function CorrectForm({ sale, facts, customer, takesOver, onKept, onDiscard }: Props) {
  const correction = useKeptCorrection({ sale, takesOver, onKept, onDiscard })
  const { lines, change, isTakenOver, sendEmail, setTouched } = correction
  const element = useRef<HTMLDivElement>(null)
  const sending = useSend({ sale, correction, form: element })
  const { saving, send, errors, message, wanting, forgetTrouble } = sending

  const changeLine = useCallback(
    (action: CorrectAction) => {
      change(action)
      setTouched(true)
      forgetTrouble()
    },
    [change, setTouched, forgetTrouble],
  )

  const shown = useDeferredValue(lines)
  const deciding = useMemo(() => ({ sale, facts, customer, isTakenOver }), [sale, facts, customer, isTakenOver])
  const tax = useMemo(() => correctTax(shown, deciding), [shown, deciding])
  const { before, after } = useMemo(() => correctTotals(shown, tax, sale), [shown, tax, sale])
  const changed = useMemo(() => changedLines(shown, tax).length, [shown, tax])
  const invoice = standingInvoice(sale)
  const isSameSeries = !invoice || keepsSeries(invoice.number, shown, tax, isTakenOver)

  const correct = () => {
    // Calculated again, because `shown` may lack the text that was typed last.
    const isChanged = isTakenOver || changedLines(lines, correctTax(lines, deciding)).length > 0
    if (!saving && isChanged) void send()
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Ctrl+Enter in any field inside corrects the sale
    <div
      ref={element}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
        event.preventDefault()
        correct()
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
            correction.setTakenOver(on)
            setTouched(true)
            sending.forgetMessage()
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
        <Button loading={saving} disabled={changed === 0 && !isTakenOver} onClick={correct}>
          Correct
        </Button>
        <Effect
          sale={sale}
          total={after.total_sales_price_vat}
          isSameSeries={isSameSeries}
          sendEmail={sendEmail}
          onSendEmail={correction.setSendEmail}
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

/** Offers to bring the facts that have changed into the invoice: the buyer's, and those of the sale. */
function CustomerPanel({ sale, customer, isTakenOver, onTakeOver }: CustomerProps) {
  return (
    <Panel>
      <Title order={2} mb="md">
        Customer
      </Title>
      <Checkbox
        label={currentDetails(sale.invoice_differs)}
        description={aboutDetails(sale)}
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

function aboutDetails({ invoice_differs, documents }: Sale): string {
  if (invoice_differs.length)
    return `Changed since the sale was made: ${new Intl.ListFormat('en').format(invoice_differs)}.`
  return documents.length ? 'They have not changed since the sale was made.' : 'Name, VAT number and addresses.'
}
