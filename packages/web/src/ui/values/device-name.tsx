import classes from './device-name.module.css'

/** The capacity in a product's name. It and the colour behind it tell devices of one model apart. */
const CAPACITY = / \d{1,6}(?:\.\d{1,3})? ?(?:MB|GB|TB)\b/

/** A product's name in one line. If there is no room, the model is cut, never the capacity and colour. */
export function DeviceName({ name }: { name: string }) {
  const at = name.search(CAPACITY)
  if (at <= 0) return <span className={classes['whole']}>{name}</span>
  return (
    <span className={classes['name']}>
      <span className={classes['model']}>{name.slice(0, at)}</span>
      <span className={classes['end']}>{name.slice(at)}</span>
    </span>
  )
}
