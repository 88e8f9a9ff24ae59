/** What a total names that it leaves out. */
export const withoutPrice = (count: number): string => `${count.toLocaleString('en')} without a price`
