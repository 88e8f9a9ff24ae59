import type { BankEntry } from '@backstock/contract/bank-entry.ts'
import classes from './bank-entry.module.css'
import { money } from './entry-lines.tsx'

/** The facts about an entry: those of the bank's file, the part that is booked, and the reason for its proposal. */
export function EntryFacts({ entry }: { entry: BankEntry }) {
  const { name, iban, remittance, end_to_end, bank_reference, account, file_name, booked, proposal } = entry
  const facts = [
    [entry.amount > 0 ? 'From' : 'To', [name, iban].filter(Boolean).join(' · ')],
    ['Text', remittance],
    ['End-to-end reference', end_to_end],
    ["Bank's reference", bank_reference],
    ['Account', `${account}, file ${file_name}`],
    ['Booked already', booked === 0 ? null : money(booked)],
    ['Proposal', proposal?.why],
  ].filter(([, value]) => value)
  return (
    <dl className={classes['facts']}>
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
