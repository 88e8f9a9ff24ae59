export default function StockListPage() {
  return null
}
