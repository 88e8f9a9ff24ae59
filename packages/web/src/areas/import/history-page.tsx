export default function ImportHistoryPage() {
  return null
}
