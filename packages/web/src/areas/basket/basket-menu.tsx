export default function BasketMenu() {
  return null
}
