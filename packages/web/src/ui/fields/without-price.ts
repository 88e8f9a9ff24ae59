/** How a total names the items that it leaves out. */
export const withoutPrice = (count: number): string => `${count.toLocaleString('en')} without a price`
