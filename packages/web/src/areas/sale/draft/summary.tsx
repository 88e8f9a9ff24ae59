import type { FieldErrors } from '@backstock/contract/answer.ts'
import { Panel } from '../../../ui/layout/panel.tsx'
import { Figures } from '../figures.tsx'
import classes from '../sale.module.css'
import { DraftCustomerPanel } from './customer.tsx'
import type { SaleSource } from './items-source.ts'
import type { SaleDraft } from './kept-sale.ts'
import type { DraftAction } from './lines.ts'
import { DraftOptionsPanel } from './options.tsx'
import type { DraftFigures } from './use-figures.ts'
import { DraftVat } from './vat.tsx'

type Props = {
  source: SaleSource
  kept: SaleDraft
  computed: DraftFigures
  errors: FieldErrors
  onTouch: (...names: readonly string[]) => void
  onLines: (action: DraftAction) => void
}

/** The second tab of a new sale: its customer, its options, and the sums. */
export function DraftSummary({ source, kept, computed, errors, onTouch, onLines }: Props) {
  const { shown, tax, figures, lacks, excel, home, usualLang } = computed
  const { options } = kept
  return (
    <div className={classes['columns']}>
      <DraftCustomerPanel
        customer={kept.customer}
        lacks={lacks}
        home={home}
        errors={errors}
        onChange={(next, ...fields) => {
          onTouch('customer', ...fields)
          kept.setCustomer(next)
        }}
      />
      <DraftOptionsPanel
        options={options}
        excel={excel}
        usualLang={usualLang}
        lacks={lacks}
        batch={source.batch}
        errors={errors}
        onChange={(patch) => {
          onTouch(...Object.keys(patch))
          kept.setOptions({ ...options, ...patch })
        }}
      />
      <Panel>
        <DraftVat lines={shown} tax={tax} change={onLines} />
        <Figures figures={figures} />
      </Panel>
    </div>
  )
}
