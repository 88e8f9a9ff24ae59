export default function StockEditPage() {
  return null
}
