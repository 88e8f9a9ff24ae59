export default function SaleEditPage() {
  return null
}
