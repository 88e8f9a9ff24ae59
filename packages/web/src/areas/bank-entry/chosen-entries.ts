import type { BankEntry } from '@backstock/contract/bank-entry.ts'
import { createContext, useContext } from 'react'

/** The person's choices on the list: the entries ticked or unticked by hand, and the entry whose dialog is open. */
export type ChosenEntries = {
  isTicked: (entry: BankEntry) => boolean
  tick: (entries: readonly BankEntry[], on: boolean) => void
  /** Forgets the choices about these entries. Those about others stay, also on other pages of the list. */
  forget: (entries: readonly BankEntry[]) => void
  openDialog: (entry: BankEntry) => void
}

export const ChosenEntriesContext = createContext<ChosenEntries | null>(null)

export function useChosenEntries(): ChosenEntries {
  const chosen = useContext(ChosenEntriesContext)
  if (!chosen) throw new Error('This part stands on the list of bank entries alone.')
  return chosen
}

/** Whether an entry has a proposal that can be booked. */
export const hasProposal = ({ proposal }: BankEntry) => (proposal?.payments.length ?? 0) > 0
