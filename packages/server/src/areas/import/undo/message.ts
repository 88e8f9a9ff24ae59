import type { ItemToKeep } from './judge.ts'

const count = (n: number) => n.toLocaleString('en')

/** The counts of an undo in words: `1,204 items are as before, 30 were removed, 2 stay`. */
export function counted({ restored, removed, kept }: { restored: number; removed: number; kept: number }): string {
  const were = removed === 1 ? 'was' : 'were'
  return `${count(restored)} ${restored === 1 ? 'item is' : 'items are'} as before, ${count(removed)} ${were} removed, ${count(kept)} ${kept === 1 ? 'stays' : 'stay'}`
}

/** The reason why an item stays as it is, as a sentence. */
export function keptMessage({ reason, ref, who }: ItemToKeep): string {
  switch (reason) {
    case 'changed':
      if (ref !== null) return `Import #${ref} changed it since.`
      return who === null ? 'It was changed since.' : `${who} changed it since.`
    case 'basket':
      return `It is in the basket of ${who}.`
    case 'sale':
      return `It is or was on sale #${ref}.`
    case 'batch':
      return `Batch #${ref} is locked.`
    case 'claim':
      return `It is on supplier claim #${ref}.`
    case 'return':
      return `It is on return #${ref}.`
    case 'receipt':
      return `It is on purchase receipt #${ref}.`
    case 'taken':
      return `Item #${ref} has its old identifier now.`
    case 'reference':
      return 'What it referred to before no longer exists.'
    case 'missing':
      return 'It no longer exists.'
  }
}
