/** The words behind a total for the items that it does not include. */
export const withoutPrice = (count: number): string => `${count.toLocaleString('en')} without a price`
