// One module for both dialogs, so that the click that needs one of them loads a single file.
export { PriceDialog } from './price-dialog.tsx'
export { StockPrices } from './stock-prices.tsx'
