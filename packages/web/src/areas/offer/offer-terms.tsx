import type { InvoiceLanguage } from '@backstock/contract/invoice-language.ts'
import { NativeSelect, Switch } from '@mantine/core'
import { TextField } from '../../ui/fields/text-field.tsx'
import { LANGUAGES } from '../../widgets/language-choices.ts'
import classes from './offer.module.css'

export type Terms = {
  lang: InvoiceLanguage
  prices: boolean
  unpriced: boolean
  /** The percentage as typed. */
  percent: string
}
export const USUAL_TERMS: Terms = { lang: 'en', prices: true, unpriced: true, percent: '' }

type Props = { terms: Terms; isBad: boolean; unpriced: number; onChange: (change: Partial<Terms>) => void }

/** The fields for the language of an offer, and for its prices. */
export function OfferTermsFields({ terms, isBad, unpriced, onChange }: Props) {
  const { lang, prices } = terms
  return (
    <>
      <NativeSelect
        label="Language"
        data={LANGUAGES}
        value={lang}
        onChange={(event) => onChange({ lang: event.currentTarget.value as InvoiceLanguage })}
      />
      <TextField
        label="Adjust prices by"
        inputMode="text"
        autoComplete="off"
        placeholder="0"
        rightSection="%"
        rightSectionPointerEvents="none"
        inputStyle={{ textAlign: 'right' }}
        disabled={!prices}
        value={terms.percent}
        error={isBad && 'Must be a percentage such as -3 or 2.5.'}
        onChange={(event) => onChange({ percent: event.currentTarget.value })}
      />
      <div className={classes['switches']}>
        <Switch
          label="Show prices"
          checked={prices}
          onChange={(event) => onChange({ prices: event.currentTarget.checked })}
        />
        <Switch
          label={`Also devices without a price (${unpriced.toLocaleString('en')})`}
          disabled={!prices}
          checked={terms.unpriced}
          onChange={(event) => onChange({ unpriced: event.currentTarget.checked })}
        />
      </div>
    </>
  )
}
