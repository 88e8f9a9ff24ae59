import { Anchor } from '@mantine/core'

type Props = { isFound: boolean; onDiscard: () => void }

/** Says where a draft is kept, for the line under the title. */
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
