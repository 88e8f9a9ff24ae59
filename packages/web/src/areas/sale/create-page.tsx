export default function SaleCreatePage() {
  return null
}
