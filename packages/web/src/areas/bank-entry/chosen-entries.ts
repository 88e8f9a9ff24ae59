import type { BankEntry } from '@backstock/contract/bank-entry.ts'
import { createContext, useContext } from 'react'

/** What a person has chosen on the list: entries to book, other than the sure ones, and the one whose dialog is open. */
export type ChosenEntries = {
  isTicked: (entry: BankEntry) => boolean
  tick: (entries: readonly BankEntry[], on: boolean) => void
  /** Back to what is sure. */
  reset: () => void
  openDialog: (entry: BankEntry) => void
}

export const ChosenEntriesContext = createContext<ChosenEntries | null>(null)

export function useChosenEntries(): ChosenEntries {
  const chosen = useContext(ChosenEntriesContext)
  if (!chosen) throw new Error('This part stands on the list of bank entries alone.')
  return chosen
}

/** Whether something is proposed that can be booked as it is. */
export const hasProposal = ({ proposal }: BankEntry) => (proposal?.payments.length ?? 0) > 0
