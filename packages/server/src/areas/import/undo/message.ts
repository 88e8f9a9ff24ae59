import type { ItemToKeep } from './judge.ts'

const count = (n: number) => n.toLocaleString('en')

/** The counts of an undo in words: `30 items were removed, 1,204 have their old values back, 2 stay as they are`. */
export function counted({ restored, removed, kept }: { restored: number; removed: number; kept: number }): string {
  const gone = `${count(removed)} ${removed === 1 ? 'item was' : 'items were'} removed`
  const back = `${count(restored)} ${restored === 1 ? 'has its' : 'have their'} old values back`
  return `${gone}, ${back}, ${count(kept)} ${kept === 1 ? 'stays as it is' : 'stay as they are'}`
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
      return `Item #${ref} now has the IMEI or serial number that this item had before.`
    case 'reference':
      return 'A record that it had before, such as its grade, no longer exists.'
    case 'missing':
      return 'It no longer exists.'
  }
}
