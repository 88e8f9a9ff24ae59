import type { FieldErrors } from '@backstock/contract/answer.ts'
import { Alert, List, Text } from '@mantine/core'
import IconAlertCircle from '@tabler/icons-react/dist/esm/icons/IconAlertCircle.mjs'
import { NEW_CUSTOMER_FIELDS } from './customer.tsx'

/** The fields on each tab of a new sale. */
export const ON_TAB: Record<DraftTab, readonly string[]> = {
  products: ['stock_items', 'sale_price[]'],
  summary: ['customer', 'reference_number', 'invoice_lang', ...NEW_CUSTOMER_FIELDS.map((field) => field.name)],
}
export type DraftTab = 'products' | 'summary'

const hasErrors = (tab: DraftTab, errors: FieldErrors) => ON_TAB[tab].some((name) => name in errors)

/** The icon of a tab that has an error. */
export function tabMark(tab: DraftTab, errors: FieldErrors) {
  return (
    hasErrors(tab, errors) && (
      <IconAlertCircle size={16} color="var(--mantine-color-error)" role="img" aria-label="has errors" />
    )
  )
}

/** The tab to turn to because of these errors; `now` if they are on none. */
export function tabToMend(errors: FieldErrors, now: DraftTab): DraftTab {
  if (hasErrors('summary', errors)) return 'summary'
  return hasErrors('products', errors) ? 'products' : now
}

/** The errors of fields that are on no tab. */
const onNoTab = (errors: FieldErrors) =>
  Object.entries(errors).filter(([name]) => !ON_TAB.products.includes(name) && !ON_TAB.summary.includes(name))

/** Whether the message of the server must be shown, because no field shows it, or not all of it. */
export const needsMessage = (errors: FieldErrors) => Object.keys(errors).length === 0 || onNoTab(errors).length > 0

/** The alert above a new sale that could not be made. */
export function DraftTrouble({ message, errors }: { message: string; errors: FieldErrors }) {
  const others = onNoTab(errors)
  return (
    <Alert color="red" role="alert" title="The sale was not made" mb="md">
      <Text size="sm">{message}</Text>
      {others.length > 0 && (
        <List size="sm" mt={4}>
          {others.map(([name, text]) => (
            <List.Item key={name}>{text}</List.Item>
          ))}
        </List>
      )}
    </Alert>
  )
}
