import type { LogContent, LoggableType } from '@backstock/contract/log.ts'
import type { Role } from '@backstock/contract/role.ts'
import type { SaleStatus } from '@backstock/contract/sale-status.ts'
import type { StockStatus } from '@backstock/contract/stock-status.ts'
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'

/** Set by the database, read as ISO 8601 in UTC. */
type Time = ColumnType<string, string | undefined, string>
/** Written as JSON text, read as what it holds. */
type Json<T> = ColumnType<T, string, string>
type OptionalJson<T> = ColumnType<T, string | undefined, string>

type FileTable = {
  id: GeneratedAlways<number>
  name: string
  media_type: string
  size: number
  sha256: Buffer
  created_at: Time
}
type FileChunkTable = {
  file_id: number
  seq: number
  data: Buffer
}
type AppUserTable = {
  id: GeneratedAlways<number>
  name: string
  email: string
  password_hash: string
  role: Role
  avatar_file_id: number | null
  avatar_version: Generated<number>
  deleted_at: string | null
  created_at: Time
  updated_at: Time
  search: GeneratedAlways<string>
}
type SessionTable = {
  token_hash: Buffer
  user_id: number
  created_at: Time
  seen_at: Time
  expires_at: string
}
type LoginDeviceTable = {
  token_hash: Buffer
  user_id: number
  seen_at: Time
}
type ThrottleTable = {
  key: string
  window_start: string
  n: number
}
type IdempotencyTable = {
  owner: string
  key: string
  body_hash: Buffer
  http_status: number
  answer: Json<unknown>
  created_at: Time
}
type CompanyTable = {
  one: Generated<boolean>
  name: Generated<string>
  address_1: string | null
  address_2: string | null
  city: string | null
  state: string | null
  postal_code: string | null
  country_code: string | null
  vat_number: string | null
  email: string | null
  phone: string | null
  bank_name: string | null
  iban: string | null
  bic: string | null
  payment_terms: string | null
  payment_days: Generated<number>
  mail_from: string | null
  time_zone: Generated<string>
  logo_file_id: number | null
  created_at: Time
  updated_at: Time
  updated_by: Generated<number | null>
}
type MakeTable = {
  id: GeneratedAlways<number>
  name: string
  logo_image: string | null
  created_at: Time
  updated_at: Time
  updated_by: Generated<number | null>
  search: GeneratedAlways<string>
}
type ColourTable = {
  id: GeneratedAlways<number>
  name: string
  created_at: Time
  updated_at: Time
  updated_by: Generated<number | null>
  search: GeneratedAlways<string>
}
type CategoryTable = {
  id: GeneratedAlways<number>
  name: string
  created_at: Time
  updated_at: Time
  updated_by: Generated<number | null>
  search: GeneratedAlways<string>
}
type VatTable = {
  id: GeneratedAlways<number>
  name: string
  rate: number
  treatment: Generated<string>
  created_at: Time
  updated_at: Time
  updated_by: Generated<number | null>
  search: GeneratedAlways<string>
}
type SupplierTable = {
  id: GeneratedAlways<number>
  company_name: string
  first_name: string | null
  last_name: string | null
  email_address: string | null
  phone_number: string | null
  created_at: Time
  updated_at: Time
  search: GeneratedAlways<string>
}
type ProductTable = {
  id: GeneratedAlways<number>
  make_id: number
  category_id: number
  colour_id: number | null
  model: string
  capacity: number | null
  capacity_unit: 'MB' | 'GB' | 'TB' | null
  active: Generated<boolean>
  display_name: string
  image_url: string | null
  created_at: Time
  updated_at: Time
  search: GeneratedAlways<string>
}
type AddressTable = {
  id: GeneratedAlways<number>
  address_1: string
  address_2: string | null
  city: string
  state: string | null
  postal_code: string
  country_code: string
}
type CustomerTable = {
  id: GeneratedAlways<number>
  first_name: string
  last_name: string
  email: string
  phone: string | null
  company_name: string | null
  vat_number: string | null
  billing_address_id: number | null
  delivery_address_id: number | null
  cities: Generated<string>
  created_at: Time
  updated_at: Time
  search: GeneratedAlways<string>
}
type PartnerTable = {
  id: GeneratedAlways<number>
  name: string
  customer_id: number | null
  created_at: Time
  updated_at: Time
  updated_by: Generated<number | null>
  search: GeneratedAlways<string>
}
type PartnerKeyTable = {
  id: GeneratedAlways<number>
  partner_id: number
  hash: Buffer
  created_at: Time
  revoked_at: string | null
}
type BatchTable = {
  id: GeneratedAlways<number>
  user_id: number
  name: string
  priority: Generated<number>
  is_locked: Generated<boolean>
  created_at: Time
  updated_at: Time
  search: GeneratedAlways<string>
}
type SaleTable = {
  id: GeneratedAlways<number>
  customer_id: number
  partner_id: number | null
  created_by: number | null
  batch_id: number | null
  status: Generated<SaleStatus>
  reference_number: string | null
  buyer: Json<Buyer>
  prices_include_vat: boolean
  total_items: number
  total_purchase_price: number
  total_sales_price: number
  total_sales_price_vat: number
  returned_cost: Generated<number>
  returned_sales: Generated<number>
  courier: string | null
  outbound_tracking_number: string | null
  email_sent: Generated<boolean>
  resend_needed: Generated<boolean>
  excel_status: Generated<'none' | 'pending' | 'ready' | 'failed'>
  invoice_number: string | null
  created_at: Time
  updated_at: Time
  search: GeneratedAlways<string>
}
type StockTable = {
  id: GeneratedAlways<number>
  status: StockStatus
  actual_product_id: number
  expected_product_id: number | null
  supplier_id: number | null
  vat_id: number | null
  partner_id: number | null
  batch_id: number | null
  sale_id: number | null
  in_hand: Generated<boolean>
  backstock_id: string | null
  imei: string | null
  serial_number: string | null
  purchase_price: number
  purchase_currency: Generated<string>
  cost: GeneratedAlways<number>
  purchase_date: string | null
  sales_price: number | null
  sales_currency: Generated<string>
  network_locked: Generated<boolean>
  engineer_notes: string | null
  grading_data: OptionalJson<Record<string, unknown>>
  attributes: OptionalJson<Record<string, unknown>>
  created_at: Time
  updated_at: Time
}
type StockIdentifierTable = {
  stock_id: number
  kind: 'i' | 's' | 'b'
  in_hand: boolean
  value: string
}
type StockCountTable = {
  status: StockStatus
  n: number
  cost: number
}
type StockMoveTable = {
  at: string
  stock_id: number
  was: StockStatus | null
  now_is: StockStatus | null
  cost_was: number | null
  cost_is: number | null
}
type AttributeNameTable = {
  kind: 'grading' | 'attribute'
  name: string
  id: GeneratedAlways<number>
  partner_id: Generated<number | null>
  search: GeneratedAlways<string>
}
type SaleItemTable = {
  sale_id: number
  stock_id: number
  position: number
  product_name: string
  make: string | null
  model: string | null
  capacity: string | null
  colour: string | null
  imei: string | null
  serial_number: string | null
  vat_id: number | null
  vat_name: string | null
  vat_rate: number
  vat_treatment: Generated<string>
  sales_price: number
  sales_price_vat: number | null
  cost: number
  released: 'lost' | 'removed' | 'voided' | 'returned' | null
}
type SaleVatTable = {
  sale_id: number
  treatment: string
  rate: number
  net: number
  vat: number
}
type NumberSeriesTable = {
  series: string
  year: number
  last: Generated<number>
}
type InvoiceTable = {
  id: GeneratedAlways<number>
  series: string
  year: number
  number: number
  sale_id: number
  issued_on: string
  status: 'none' | 'pending' | 'ready' | 'failed'
  error: string | null
  created_at: Time
}
type InvoiceVersionTable = {
  invoice_id: number
  version: number
  lang: string
  data: Json<unknown>
  file_id: number | null
  created_at: Time
}
type SaleFileTable = {
  id: GeneratedAlways<number>
  sale_id: number
  slot: 'invoice' | 'label' | 'excel'
  file_id: number
  removed_at: string | null
  created_at: Time
}
type MailTable = {
  id: GeneratedAlways<number>
  sale_id: number | null
  user_id: number | null
  message_id: string
  sender: Json<MailAddress>
  recipient: Json<MailAddress>
  subject: string
  body: string
  body_html: string | null
  file_ids: Generated<number[]>
  state: Generated<'waiting' | 'sending' | 'sent' | 'unclear' | 'failed'>
  attempts: Generated<number>
  error: string | null
  sending_since: string | null
  sent_at: string | null
  created_at: Time
}
type BasketTable = {
  user_id: number
  items: Generated<number[]>
  version: Generated<number>
}
type ImportTable = {
  id: GeneratedAlways<number>
  type: 'csv_import' | 'api_import'
  user_id: number | null
  partner_id: number | null
  file_name: string | null
  update_existing: Generated<boolean>
  header: ColumnType<string[] | null, string | null | undefined, string | null>
  state: Generated<'waiting' | 'running' | 'done' | 'failed'>
  total: Generated<number>
  succeeded: Generated<number>
  failed: Generated<number>
  error: string | null
  created_at: Time
  ended_at: string | null
}
type ImportPartTable = {
  import_id: number
  part: number
  lines: number[]
  cells: Json<string[][]>
  done_at: string | null
  stock_ids: (number | null)[] | null
  actions: ('created' | 'updated' | 'unchanged' | 'failed')[] | null
  held: (number | null)[] | null
  freed: Json<Record<string, number>> | null
}
type ImportErrorTable = {
  import_id: number
  row_no: number
  backstock_id: string | null
  errors: Json<Record<string, string>>
}
type LogTable = {
  id: GeneratedAlways<number>
  at: Time
  user_id: number | null
  partner_id: number | null
  import_id: number | null
  loggable_type: LoggableType
  loggable_id: number
  is_hidden: Generated<boolean>
  content: Json<LogContent>
  of_many: Generated<boolean>
}
type WorkerTable = {
  id: string
  seen_at: Time
}

/** A buyer as printed on documents: frozen when the sale is made. */
export type Buyer = {
  first_name: string
  last_name: string
  full_name: string
  company_name: string | null
  email: string
  phone: string | null
  vat_number: string | null
  billing_address: BuyerAddress | null
  delivery_address: BuyerAddress | null
}
export type BuyerAddress = {
  address_1: string
  address_2: string | null
  city: string
  state: string | null
  postal_code: string
  country_code: string
}
export type MailAddress = { name: string; address: string }

/** Every table, as `migrations/` makes them. */
export type Tables = {
  file: FileTable
  file_chunk: FileChunkTable
  app_user: AppUserTable
  session: SessionTable
  login_device: LoginDeviceTable
  throttle: ThrottleTable
  idempotency: IdempotencyTable
  company: CompanyTable
  make: MakeTable
  colour: ColourTable
  category: CategoryTable
  vat: VatTable
  supplier: SupplierTable
  product: ProductTable
  address: AddressTable
  customer: CustomerTable
  partner: PartnerTable
  partner_key: PartnerKeyTable
  batch: BatchTable
  sale: SaleTable
  stock: StockTable
  stock_identifier: StockIdentifierTable
  stock_count: StockCountTable
  stock_move: StockMoveTable
  attribute_name: AttributeNameTable
  sale_item: SaleItemTable
  sale_vat: SaleVatTable
  number_series: NumberSeriesTable
  invoice: InvoiceTable
  invoice_version: InvoiceVersionTable
  sale_file: SaleFileTable
  mail: MailTable
  basket: BasketTable
  import: ImportTable
  import_part: ImportPartTable
  import_error: ImportErrorTable
  log: LogTable
  worker: WorkerTable
}
