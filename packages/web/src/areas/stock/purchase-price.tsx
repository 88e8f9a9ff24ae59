import { CURRENCY, formatMoney } from '@backstock/contract/money.ts'
import { costOf, PURCHASE_CURRENCIES, parseFxRate } from '@backstock/contract/purchase-currency.ts'
import { api } from '../../api/client.ts'
import type { RecordFormOf } from '../../crud/area.ts'
import { MoneyInput } from '../../ui/fields/money-input.tsx'
import { SearchSelect } from '../../ui/fields/search-select.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import type { StockValues } from './stock-values.ts'

const CHOICES = Object.entries(PURCHASE_CURRENCIES).map(([value, name]) => ({ value, label: `${value} · ${name}` }))

/** The exchange rate of the newest item in this currency; '' if there is none, or if it cannot be read. */
async function lastRate(currency: string): Promise<string> {
  type Answer = { data: { fx_rate: number | null } }
  const found = await api.get<Answer>('stock/fx-rate', { query: { currency } }).catch(() => undefined)
  return found?.data.fx_rate?.toString() ?? ''
}

/** The fields for the purchase price: in EUR, or in another currency with the exchange rate of that day. */
export function PurchasePrice({ form, disabled }: { form: RecordFormOf<StockValues>; disabled: boolean }) {
  const { purchase_price: price, purchase_currency: currency, fx_rate } = form.values
  const rate = parseFxRate(fx_rate)
  const cost = price === null || rate === null ? null : costOf(price, rate)
  const choose = async (chosen: string | null) => {
    if (chosen === null || chosen === currency) return
    form.setFieldValue('purchase_currency', chosen)
    form.setFieldValue('fx_rate', '')
    if (chosen === CURRENCY) return
    const proposed = await lastRate(chosen)
    const now = form.getValues()
    if (now.purchase_currency === chosen && now.fx_rate === '') form.setFieldValue('fx_rate', proposed)
  }
  return (
    <>
      <MoneyInput
        label="Purchase price"
        withAsterisk
        currency={currency}
        disabled={disabled}
        {...form.getInputProps('purchase_price')}
      />
      <SearchSelect
        label="Purchase currency"
        data={CHOICES}
        disabled={disabled}
        {...form.getInputProps('purchase_currency')}
        onChange={(chosen) => void choose(chosen)}
      />
      {currency !== CURRENCY && (
        <TextField
          label={`Exchange rate: ${currency} for one ${CURRENCY}`}
          withAsterisk
          description={cost === null ? 'The rate on the day of purchase.' : `It cost ${formatMoney(cost)} ${CURRENCY}.`}
          inputMode="decimal"
          autoComplete="off"
          disabled={disabled}
          {...form.getInputProps('fx_rate')}
        />
      )}
    </>
  )
}
