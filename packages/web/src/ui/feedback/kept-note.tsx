import { Anchor } from '@mantine/core'

type Props = { isFound: boolean; onDiscard: () => void }

/** The line under the title of a form, which says that the browser keeps the draft. Its button discards the draft. */
export function KeptNote({ isFound, onDiscard }: Props) {
  return (
    <>
      {isFound ? 'Your draft is back. It' : 'This draft'} is kept in this browser for 30 days, or until you finish or
      discard it.{' '}
      <Anchor component="button" type="button" inherit underline="always" onClick={onDiscard}>
        Discard
      </Anchor>
    </>
  )
}
