/** `purchase_price` as people read it: `Purchase Price`. */
export function attributeTitle(name: string): string {
  return name.replaceAll('_', ' ').replace(/(^|\s)\S/g, (start) => start.toUpperCase())
}
