import { Anchor } from '@mantine/core'

type Props = { isFound: boolean; onDiscard: () => void }

/** The line under the title: the browser keeps the draft. */
export function KeptNote({ isFound, onDiscard }: Props) {
  return (
    <>
      {isFound ? 'Your draft is back. ' : 'Draft: '}It is kept in this browser until you finish or discard it.{' '}
      <Anchor component="button" type="button" inherit underline="always" onClick={onDiscard}>
        Discard
      </Anchor>
    </>
  )
}
