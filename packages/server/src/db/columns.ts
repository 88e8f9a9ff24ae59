// biome-ignore-all format: written by `npm run tables` from the migrations
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'

/** Every column of every table. Types that PostgreSQL does not know are in tables.ts. */
export type Columns = {
  accounting_settings: {
    one: Generated<boolean>
    consultant_number: number | null
    client_number: number | null
    fiscal_month: Generated<number>
    account_length: Generated<number>
    debtor_account: number | null
    created_at: Generated<string>
    updated_at: Generated<string>
    updated_by: number | null
    creditor_account: number | null
    debtor_first: number | null
    debtor_last: number | null
    bank_account: number | null
  }
  address: {
    id: GeneratedAlways<number>
    address_1: string
    address_2: string | null
    city: string
    state: string | null
    postal_code: string
    country_code: string
  }
  app_user: {
    id: GeneratedAlways<number>
    name: string
    email: string
    password_hash: string
    role: 'ROLE_USER' | 'ROLE_ADMIN'
    avatar_file_id: number | null
    avatar_version: Generated<number>
    deleted_at: string | null
    created_at: Generated<string>
    updated_at: Generated<string>
    search: GeneratedAlways<string | null>
  }
  attribute_name: {
    kind: 'grading' | 'attribute'
    name: string
    id: GeneratedAlways<number>
    partner_id: number | null
    search: GeneratedAlways<string | null>
  }
  bank_booking: {
    payment_id: number
    entry_id: number
  }
  bank_entry: {
    id: GeneratedAlways<number>
    file_id: number
    fingerprint: Buffer
    account: string
    booked_on: string
    amount: number
    booked: Generated<number>
    is_reversal: Generated<boolean>
    is_aside: Generated<boolean>
    name: string | null
    iban: string | null
    end_to_end: string | null
    bank_reference: string | null
    remittance: Generated<string>
    state: GeneratedAlways<'open' | 'partly' | 'booked' | 'aside'>
    updated_by: number | null
    created_at: Generated<string>
    updated_at: Generated<string>
    search: GeneratedAlways<string | null>
  }
  bank_file: {
    id: GeneratedAlways<number>
    name: string
    sha256: Buffer
    created_by: number | null
    created_at: Generated<string>
  }
  basket: {
    user_id: number
    items: Generated<number[]>
    version: Generated<number>
  }
  batch: {
    id: GeneratedAlways<number>
    user_id: number
    name: string
    priority: Generated<number>
    is_locked: Generated<boolean>
    created_at: Generated<string>
    updated_at: Generated<string>
    search: GeneratedAlways<string | null>
  }
  bulk_edit: {
    id: GeneratedAlways<number>
    user_id: number
    kind: 'edit' | 'receive'
    changes: ColumnType<unknown, string, string>
    import_id: number | null
    check_id: number | null
    items: number[]
    found: string[]
    versions: string[]
    before: ColumnType<unknown, string, string>
    given_back: string[] | null
    created_at: Generated<string>
    undone_at: string | null
    undone_by: number | null
    search: GeneratedAlways<string | null>
  }
  category: {
    id: GeneratedAlways<number>
    name: string
    created_at: Generated<string>
    updated_at: Generated<string>
    search: GeneratedAlways<string | null>
    updated_by: number | null
    is_reverse_charge_good: Generated<boolean>
  }
  colour: {
    id: GeneratedAlways<number>
    name: string
    created_at: Generated<string>
    updated_at: Generated<string>
    search: GeneratedAlways<string | null>
    updated_by: number | null
  }
  company: {
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
    created_at: Generated<string>
    updated_at: Generated<string>
    updated_by: number | null
    margin_rate: number | null
    registration: string | null
    group_invoice_lines: Generated<boolean>
    margin_method: Generated<'item' | 'period'>
    supply_day: Generated<'country' | 'invoice' | 'dispatch'>
    tax_number: string | null
    contact_name: string | null
    electronic_address: string | null
    reminder_days: Generated<number>
    vat_check_days: Generated<number>
  }
  credit_account: {
    treatment: 'unknown' | 'standard' | 'margin' | 'reverse_charge' | 'intra_community' | 'import'
    account: number
  }
  customer: {
    id: GeneratedAlways<number>
    first_name: string
    last_name: string
    email: string
    phone: string | null
    company_name: string | null
    vat_number: string | null
    billing_address_id: number | null
    delivery_address_id: number | null
    created_at: Generated<string>
    updated_at: Generated<string>
    cities: Generated<string>
    search: GeneratedAlways<string | null>
    registration: string | null
    lang: 'en' | 'de' | 'fr' | 'nl' | 'es' | 'it' | 'pl' | null
    payment_days: number | null
    debtor_number: number | null
    e_invoice_profile: 'xrechnung' | 'peppol' | null
    buyer_reference: string | null
    electronic_address: string | null
  }
  customer_return: {
    id: GeneratedAlways<number>
    customer_id: number
    state: Generated<'announced' | 'received' | 'settled' | 'refused'>
    note: string | null
    created_by: number | null
    created_at: Generated<string>
    updated_at: Generated<string>
    search: GeneratedAlways<string | null>
  }
  customer_return_item: {
    return_id: number
    sale_id: number
    stock_id: number
    reason: Generated<'not_stated' | 'faulty' | 'not_as_described' | 'wrong_item' | 'damaged_in_transit' | 'not_wanted' | 'other'>
    condition: Generated<'not_checked' | 'as_sold' | 'used' | 'damaged' | 'defective'>
    outcome: Generated<'restock' | 'inbound' | 'to_supplier' | 'scrap'>
    price: number | null
    received_at: string | null
    is_open: Generated<boolean>
    credit_id: number | null
  }
  delivery_check: {
    id: GeneratedAlways<number>
    import_id: number | null
    supplier_id: number | null
    name: string
    expected: number[]
    state: Generated<'open' | 'closed'>
    created_by: number | null
    created_at: Generated<string>
    updated_at: Generated<string>
    closed_at: string | null
    search: GeneratedAlways<string | null>
  }
  delivery_scan: {
    id: GeneratedAlways<number>
    check_id: number
    key: string
    code: string
    stock_id: number | null
    result: 'matched' | 'received' | 'unexpected' | 'unknown'
    user_id: number | null
    at: Generated<string>
    n: Generated<number>
  }
  document: {
    id: GeneratedAlways<number>
    series: string
    year: number
    number: number
    sale_id: number
    issued_on: string
    status: 'none' | 'pending' | 'ready' | 'failed'
    error: string | null
    created_at: Generated<string>
    kind: Generated<'invoice' | 'credit_note'>
    credits_id: number | null
    replaced_by_id: number | null
    reason: 'return' | 'correction' | 'resubmission' | 'void' | 'allowance' | null
    left_at: string | null
    due_on: string
    customer_id: number
    buyer_name: string
    buyer_country: string | null
    buyer_vat_number: string | null
    total_net: Generated<number>
    total_gross: Generated<number>
    total_margin_vat: Generated<number>
    printed: GeneratedAlways<string>
    search: GeneratedAlways<string | null>
    asks_still: Generated<boolean>
  }
  document_handover: {
    document_id: number
    file_name: string
    state: 'waiting' | 'done' | 'failed'
    error: string | null
    user_id: number | null
    asked_at: Generated<string>
    done_at: string | null
    version: number | null
  }
  document_line: {
    document_id: number
    stock_id: number
    position: number
    net: number
    price: number
    treatment: string
    rate: number
    cost: number
    margin_rate: number | null
    margin_vat: Generated<number>
    credited: Generated<number>
    credit_kind: 'return' | 'allowance' | 'void' | null
  }
  document_profile: {
    document_id: number
    profile: 'xrechnung' | 'peppol'
  }
  document_vat: {
    document_id: number
    treatment: string
    rate: number
    net: number
    vat: number
  }
  document_version: {
    document_id: number
    version: number
    lang: string
    data: ColumnType<unknown, string, string>
    file_id: number | null
    created_at: Generated<string>
    is_copy: Generated<boolean>
  }
  document_xml: {
    document_id: number
    version: number
    syntax: 'cii' | 'ubl' | 'xrechnung-ubl' | 'xrechnung-cii' | 'peppol'
    content: Buffer
    sha256: Buffer
    created_at: Generated<string>
  }
  file: {
    id: GeneratedAlways<number>
    name: string
    media_type: string
    size: number
    sha256: Buffer
    created_at: Generated<string>
  }
  file_chunk: {
    file_id: number
    seq: number
    data: Buffer
  }
  grade: {
    id: GeneratedAlways<number>
    name: string
    position: number
    description: string | null
    created_at: Generated<string>
    updated_at: Generated<string>
    updated_by: number | null
    search: GeneratedAlways<string | null>
  }
  idempotency: {
    owner: string
    key: string
    body_hash: Buffer
    http_status: number
    answer: ColumnType<unknown, string, string>
    created_at: Generated<string>
  }
  import: {
    id: GeneratedAlways<number>
    type: 'csv_import' | 'api_import'
    user_id: number | null
    partner_id: number | null
    file_name: string | null
    update_existing: Generated<boolean>
    header: ColumnType<unknown, string | null | undefined, string | null>
    state: Generated<'waiting' | 'running' | 'done' | 'failed' | 'previewing' | 'previewed'>
    total: Generated<number>
    succeeded: Generated<number>
    failed: Generated<number>
    error: string | null
    created_at: Generated<string>
    ended_at: string | null
    supplier_id: number | null
    preview: ColumnType<unknown, string | null | undefined, string | null>
    plan: ColumnType<unknown, string | null | undefined, string | null>
    models: ColumnType<unknown, string | null | undefined, string | null>
    plan_no: Generated<number>
    touched_at: string | null
    made: ColumnType<unknown, string | null | undefined, string | null>
    undo: 'waiting' | 'undoing' | 'undone' | 'failed' | null
    undo_asked_at: string | null
    undone_at: string | null
    undone_by: number | null
    undo_error: string | null
  }
  import_error: {
    import_id: number
    row_no: number
    backstock_id: string | null
    errors: ColumnType<unknown, string, string>
  }
  import_judgement: {
    import_id: number
    judged_at: Generated<string>
    left_parts: number
    restored: number
    removed: number
    kept: ColumnType<unknown, string, string>
  }
  import_memory: {
    id: GeneratedAlways<number>
    supplier_id: number | null
    kind: 'column' | 'value' | 'default'
    field_of: string
    seen: string
    means: string | null
    used_at: Generated<string>
  }
  import_part: {
    import_id: number
    part: number
    lines: number[]
    cells: ColumnType<unknown, string, string>
    done_at: string | null
    stock_ids: number[] | null
    actions: string[] | null
    held: number[] | null
    freed: ColumnType<unknown, string | null | undefined, string | null>
    plan: ColumnType<unknown, string | null | undefined, string | null>
    planned: number[] | null
    plan_no: number | null
    encoding: string | null
    versions: string[] | null
    was: ColumnType<unknown, string | null | undefined, string | null>
    undone_at: string | null
    restored: number | null
    removed: number | null
    kept: ColumnType<unknown, string | null | undefined, string | null>
    mended: ColumnType<unknown, string | null | undefined, string | null>
    pieces: ColumnType<unknown, string | null | undefined, string | null>
    meant: number[] | null
    brought: number[] | null
  }
  import_remembered: {
    id: GeneratedAlways<number>
    supplier_id: number | null
    user_id: number | null
    kind: 'column' | 'value' | 'default'
    field_of: string
    seen: string
    name: string
    means: string | null
    said_by: number | null
    used_at: Generated<string>
    search: GeneratedAlways<string | null>
    said_at: Generated<string>
  }
  job_death: {
    job_id: number
    deaths: number
    progress: number
    worker_id: string | null
  }
  letter: {
    id: GeneratedAlways<number>
    customer_id: number
    kind: 'statement' | 'reminder'
    level: number | null
    way: 'email' | 'download'
    lang: string
    made_on: string
    pay_by: string | null
    total: number
    invoices: number
    data: ColumnType<unknown, string, string>
    file_id: number
    created_by: number | null
    created_at: Generated<string>
  }
  letter_line: {
    letter_id: number
    document_id: number
    sale_id: number
    level: number
    made_on: string
    due_on: string
    open_amount: number
    counts: Generated<boolean>
  }
  list_view: {
    id: GeneratedAlways<number>
    area: string
    name: string
    user_id: number | null
    created_by: number
    address: string
    position: number
    created_at: Generated<string>
    updated_at: Generated<string>
    updated_by: number | null
    search: GeneratedAlways<string | null>
  }
  log: {
    id: GeneratedAlways<number>
    at: Generated<string>
    user_id: number | null
    partner_id: number | null
    import_id: number | null
    loggable_type: string
    loggable_id: number
    is_hidden: Generated<boolean>
    content: ColumnType<unknown, string, string>
    of_many: Generated<boolean>
    bulk_id: number | null
  }
  login_device: {
    token_hash: Buffer
    user_id: number
    seen_at: Generated<string>
  }
  mail: {
    id: GeneratedAlways<number>
    sale_id: number | null
    user_id: number | null
    message_id: string
    sender: ColumnType<unknown, string, string>
    recipient: ColumnType<unknown, string, string>
    subject: string
    body: string
    body_html: string | null
    file_ids: Generated<number[]>
    state: Generated<'waiting' | 'sending' | 'sent' | 'unclear' | 'failed'>
    attempts: Generated<number>
    error: string | null
    sending_since: string | null
    sent_at: string | null
    created_at: Generated<string>
    document_ids: Generated<number[]>
    saved_as: string | null
    letter_id: number | null
  }
  make: {
    id: GeneratedAlways<number>
    name: string
    logo_image: string | null
    created_at: Generated<string>
    updated_at: Generated<string>
    search: GeneratedAlways<string | null>
    updated_by: number | null
  }
  margin_account: {
    rate: number
    account: number
  }
  number_series: {
    series: string
    year: number
    last: Generated<number>
  }
  partner: {
    id: GeneratedAlways<number>
    name: string
    customer_id: number | null
    created_at: Generated<string>
    updated_at: Generated<string>
    search: GeneratedAlways<string | null>
    updated_by: number | null
  }
  partner_key: {
    id: GeneratedAlways<number>
    partner_id: number
    hash: Buffer
    created_at: Generated<string>
    revoked_at: string | null
  }
  payment: {
    id: GeneratedAlways<number>
    sale_id: number
    paid_on: string | null
    amount: number
    note: string | null
    undoes_id: number | null
    created_by: number | null
    created_at: Generated<string>
  }
  product: {
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
    created_at: Generated<string>
    updated_at: Generated<string>
    search: GeneratedAlways<string | null>
  }
  product_count: {
    status: 'Inbound' | 'In Stock' | 'In Batch' | 'Sold' | 'Returned to Supplier' | 'Deleted'
    product_id: number
    network_locked: boolean
    n: number
  }
  purchase_correction: {
    id: GeneratedAlways<number>
    booked_on: string
    document_id: number
    stock_id: number
    claim_id: number
    treatment: string
    margin_rate: number | null
    purchase: number
    margin: number
    margin_vat: number
    created_at: Generated<string>
  }
  purchase_receipt: {
    id: GeneratedAlways<number>
    year: number
    number: number
    printed: GeneratedAlways<string>
    kind: 'private' | 'self_billed'
    cancels_id: number | null
    reason: string | null
    supplier_id: number | null
    seller_name: string
    issued_on: string
    bought_on: string
    currency: string
    total: number
    items: number
    lang: 'en' | 'de' | 'fr' | 'nl' | 'es' | 'it' | 'pl'
    data: ColumnType<unknown, string, string>
    logo_file_id: number | null
    identifiers: string
    created_by: number | null
    created_at: Generated<string>
    search: GeneratedAlways<string | null>
  }
  purchase_receipt_file: {
    receipt_id: number
    lang: 'en' | 'de' | 'fr' | 'nl' | 'es' | 'it' | 'pl'
    status: Generated<'pending' | 'ready' | 'failed'>
    error: string | null
    file_id: number | null
    created_at: Generated<string>
  }
  purchase_receipt_line: {
    receipt_id: number
    position: number
    stock_id: number
    description: string
    imei: string | null
    serial_number: string | null
    price: number
    is_live: boolean
  }
  put_away: {
    user_id: number
    what: 'first steps' | 'sample'
  }
  revenue_account: {
    treatment: 'standard' | 'zero' | 'margin' | 'reverse_charge' | 'intra_community' | 'export' | 'exempt' | 'none'
    rate: number
    account: number
  }
  reverse_charge_rule: {
    id: GeneratedAlways<number>
    country_code: string
    valid_from: string
    valid_to: string | null
    threshold: number | null
    threshold_currency: Generated<string>
    resellers_any: Generated<boolean>
    note: string | null
    created_at: Generated<string>
    updated_at: Generated<string>
    updated_by: number | null
    search: GeneratedAlways<string | null>
    series: string | null
  }
  sale: {
    id: GeneratedAlways<number>
    customer_id: number
    partner_id: number | null
    created_by: number | null
    batch_id: number | null
    status: Generated<'New' | 'Awaiting Payment' | 'Awaiting Dispatch' | 'Requires Attention' | 'Dispatched' | 'Voided'>
    reference_number: string | null
    buyer: ColumnType<unknown, string, string>
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
    created_at: Generated<string>
    updated_at: Generated<string>
    search: GeneratedAlways<string | null>
    dispatched_on: string | null
    treatment_route: ColumnType<unknown, string | null | undefined, string | null>
    total_margin_vat: Generated<number>
    returned_margin_vat: Generated<number>
    invoiced_total: Generated<number>
    due_on: string | null
    returned_gross: Generated<number>
    paid_total: Generated<number>
    open_amount: GeneratedAlways<number>
    payment_days: number | null
    vat_check_id: number | null
  }
  sale_file: {
    id: GeneratedAlways<number>
    sale_id: number
    slot: 'invoice' | 'label' | 'excel'
    file_id: number
    removed_at: string | null
    created_at: Generated<string>
  }
  sale_item: {
    sale_id: number
    stock_id: number
    position: number
    product_name: string
    imei: string | null
    serial_number: string | null
    vat_id: number | null
    vat_name: string | null
    vat_rate: number
    vat_treatment: Generated<'standard' | 'zero' | 'margin' | 'reverse_charge' | 'intra_community' | 'export' | 'exempt' | 'none'>
    sales_price: number
    sales_price_vat: number | null
    cost: number
    released: 'lost' | 'removed' | 'voided' | 'returned' | null
    make: string | null
    model: string | null
    capacity: string | null
    colour: string | null
    vat_why: string | null
    purchase_treatment: Generated<'unknown' | 'standard' | 'margin' | 'reverse_charge' | 'intra_community' | 'import'>
    margin_rate: number | null
    margin_vat: Generated<number>
    returned_price: number | null
    grade: string | null
    type_rate: number | null
    type_treatment: 'standard' | 'zero' | 'margin' | 'exempt' | null
    is_reverse_charge_good: Generated<boolean>
    exemption_text: string | null
    exemption_code: string | null
    allowed_price: Generated<number>
    product_id: number | null
  }
  sale_vat: {
    sale_id: number
    treatment: 'standard' | 'zero' | 'margin' | 'reverse_charge' | 'intra_community' | 'export' | 'exempt' | 'none'
    rate: number
    net: number
    vat: number
  }
  session: {
    token_hash: Buffer
    user_id: number
    created_at: Generated<string>
    seen_at: Generated<string>
    expires_at: string
  }
  stock: {
    id: GeneratedAlways<number>
    status: 'Inbound' | 'In Stock' | 'In Batch' | 'Sold' | 'Returned to Supplier' | 'Deleted'
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
    grading_data: ColumnType<unknown, string | undefined, string>
    attributes: ColumnType<unknown, string | undefined, string>
    created_at: Generated<string>
    updated_at: Generated<string>
    purchase_treatment: Generated<'unknown' | 'standard' | 'margin' | 'reverse_charge' | 'intra_community' | 'import'>
    fx_rate: number | null
    supplier_return_id: number | null
    grade_id: number | null
    functional: 'working' | 'minor faults' | 'faulty' | 'untested' | null
    battery_health: number | null
    imei2: string | null
    meid: string | null
    eid: string | null
    location: string | null
    supplier_credit: Generated<number>
  }
  stock_age: {
    status: 'Inbound' | 'In Stock' | 'In Batch' | 'Sold' | 'Returned to Supplier' | 'Deleted'
    bought: string | null
    made: string | null
    n: number
    cost: number
    sales: number
    unpriced: number
    newest: Generated<number>
  }
  stock_count: {
    status: 'Inbound' | 'In Stock' | 'In Batch' | 'Sold' | 'Returned to Supplier' | 'Deleted'
    n: number
    cost: number
  }
  stock_day: {
    day: string
    status: 'Inbound' | 'In Stock' | 'In Batch' | 'Sold' | 'Returned to Supplier' | 'Deleted'
    held: boolean
    n: number
    cost: number
  }
  stock_identifier: {
    stock_id: number
    kind: 'i' | 's' | 'b' | 'j' | 'm' | 'e'
    in_hand: boolean
    value: string
  }
  stock_move: {
    at: string
    stock_id: number
    was: 'Inbound' | 'In Stock' | 'In Batch' | 'Sold' | 'Returned to Supplier' | 'Deleted' | null
    now_is: 'Inbound' | 'In Stock' | 'In Batch' | 'Sold' | 'Returned to Supplier' | 'Deleted' | null
    cost_was: number | null
    cost_is: number | null
    held_was: boolean | null
    held_is: boolean | null
  }
  supplier: {
    id: GeneratedAlways<number>
    company_name: string
    first_name: string | null
    last_name: string | null
    email_address: string | null
    phone_number: string | null
    created_at: Generated<string>
    updated_at: Generated<string>
    search: GeneratedAlways<string | null>
    vat_number: string | null
    country_code: string | null
    default_purchase_treatment: Generated<'unknown' | 'standard' | 'margin' | 'reverse_charge' | 'intra_community' | 'import'>
    receipt_kind: 'private' | 'self_billed' | null
  }
  supplier_claim: {
    id: GeneratedAlways<number>
    supplier_id: number
    state: Generated<'draft' | 'sent' | 'settled' | 'refused'>
    reference: string | null
    note: string | null
    credit_expected: number | null
    credit_received: number | null
    created_by: number | null
    sent_at: string | null
    settled_on: string | null
    created_at: Generated<string>
    updated_at: Generated<string>
    search: GeneratedAlways<string | null>
  }
  supplier_claim_item: {
    claim_id: number
    stock_id: number
    reason: string
    cost: number | null
    credit: number | null
    is_open: Generated<boolean>
    is_back: Generated<boolean>
  }
  supplier_count: {
    status: 'Inbound' | 'In Stock' | 'In Batch' | 'Sold' | 'Returned to Supplier' | 'Deleted'
    supplier_id: number | null
    grade_id: number | null
    n: number
  }
  supplier_credit: {
    id: GeneratedAlways<number>
    booked_on: string
    claim_id: number
    stock_id: number
    amount: number
    lowers: number
    created_at: Generated<string>
    unknown_to: number | null
  }
  throttle: {
    key: string
    window_start: string
    n: number
  }
  vat: {
    id: GeneratedAlways<number>
    name: string
    rate: number
    treatment: Generated<'standard' | 'zero' | 'margin' | 'exempt'>
    created_at: Generated<string>
    updated_at: Generated<string>
    search: GeneratedAlways<string | null>
    updated_by: number | null
    exemption_text: string | null
    exemption_code: string | null
  }
  vat_check: {
    id: GeneratedAlways<number>
    customer_id: number
    vat_number: string
    checked_on: string
    is_valid: boolean
    reference: string | null
    source: 'typed' | 'asked'
    name: string | null
    address: string | null
    created_by: number | null
    created_at: Generated<string>
  }
  worker: {
    id: string
    seen_at: Generated<string>
    is_leaving: Generated<boolean>
  }
}
