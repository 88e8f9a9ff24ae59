export default function StockCreatePage() {
  return null
}
