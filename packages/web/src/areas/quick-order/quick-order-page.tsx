export default function QuickOrderPage() {
  return null
}
