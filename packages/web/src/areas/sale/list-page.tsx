export default function SaleListPage() {
  return null
}
