/** The name of a field as people read it: `Purchase Price` for `purchase_price`. */
export function attributeTitle(name: string): string {
  return name.replaceAll('_', ' ').replace(/(^|\s)\S/g, (start) => start.toUpperCase())
}
