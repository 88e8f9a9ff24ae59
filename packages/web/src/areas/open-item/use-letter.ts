import type { WriteAnswer } from '@backstock/contract/answer.ts'
import type { CustomerAccount, Letter, LetterInput } from '@backstock/contract/letter.ts'
import { useRef, useState } from 'react'
import { api, idempotencyKey } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'
import { invalidate } from '../../api/reads.ts'
import { saveFile } from '../../api/save-file.ts'

type Way = LetterInput['way']
/** A letter as the person has chosen it. */
export type ChosenLetter = Omit<LetterInput, 'way' | 'newest_letter'>

/**
 * Makes a letter to a customer, or shows its draft; one at a time, and `running` is the one under way. Call
 * `chooseAnew` when the person changes the letter, and `onMade` closes the dialog.
 */
export function useLetter(account: CustomerAccount, letter: ChosenLetter, onMade: () => void) {
  const [running, setRunning] = useState<Way | 'look' | null>(null)
  const [trouble, setTrouble] = useState<string | null>(null)
  /** The newest letter when the dialog opened. If a colleague sends a statement meanwhile, this one is refused. */
  const [newest_letter] = useState(account.letters[0]?.id ?? null)
  /** The idempotency key: if the request is sent twice, the server makes one letter. */
  const key = useRef(idempotencyKey())
  const bodyOf = (way: Way): LetterInput => ({ ...letter, way, newest_letter })
  const attempt = async (how: NonNullable<typeof running>, work: () => Promise<unknown>) => {
    setRunning(how)
    setTrouble(null)
    try {
      await work()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (!error.isOutage) key.current = idempotencyKey()
      setTrouble(error.message)
    } finally {
      setRunning(null)
    }
  }
  const look = () =>
    attempt('look', async () => {
      const call = { body: bodyOf('download'), isFile: true, silent: true, tellsTrouble: true }
      saveFile(await api.post<Blob>(`open-item/${account.id}/letter/preview`, call), `${letter.kind}-draft.pdf`)
    })
  const make = (way: Way) =>
    attempt(way, async () => {
      const call = { body: bodyOf(way), idempotent: key.current, tellsTrouble: true }
      const { data } = await api.post<WriteAnswer<Letter>>(`open-item/${account.id}/letter`, call)
      if (way === 'download')
        saveFile(await api.get<Blob>(`letter/${data.id}/pdf`, { isFile: true }), `${letter.kind} ${data.made_on}.pdf`)
      await invalidate('open-item', 'sale', 'customer')
      onMade()
    })
  const chooseAnew = () => {
    key.current = idempotencyKey()
  }
  return { running, trouble, look, make, chooseAnew }
}
