// Fetched together by the click that needs one of them.
export { PriceDialog } from './price-dialog.tsx'
export { StockPrices } from './stock-prices.tsx'
