import type { LoggableType } from '@backstock/contract/log.ts'
import type { Invariant } from './invariant.ts'

/**
 * The tables by the type of their log entries, with the condition by which an entry reports a deletion. Stock items are
 * only removed by the undo of an import.
 */
const LOGGED: Record<LoggableType, { table: string; deleted: string }> = {
  Stock: { table: 'stock', deleted: `is_message and message like 'Removed: import #% was undone.'` },
  Batch: { table: 'batch', deleted: `is_message and message like 'Batch "%" deleted.'` },
  Sale: {
    table: 'sale',
    deleted: `content @> '{"type": "model_update", "data": [{"attributeName": "status", "to": null}]}'`,
  },
  Customer: { table: 'customer', deleted: `is_message and message like 'Customer % was deleted.'` },
  User: { table: 'app_user', deleted: 'false' }, // a closed account stays, because log entries show its name
  Supplier: { table: 'supplier', deleted: `is_message and message like 'Supplier % was deleted.'` },
  'Supplier claim': {
    table: 'supplier_claim',
    deleted: `is_message and message like 'Supplier claim #% deleted.'`,
  },
  Product: { table: 'product', deleted: `is_message and message like 'Product % was deleted.'` },
  Return: { table: 'customer_return', deleted: `is_message and message like 'Return #% deleted.'` },
  'Bulk edit': { table: 'bulk_edit', deleted: 'false' },
  'Delivery check': { table: 'delivery_check', deleted: 'false' },
}

const orphanedLogs = Object.entries(LOGGED)
  .map(
    ([type, { table, deleted }]) => `
    select format('${type} #%s has log entries (the newest is #%s) and is not there', id, newest) as violation
    from (select loggable_id as id, max(id) as newest from log where loggable_type = '${type}' group by loggable_id) logged
    where not exists (select from ${table} known where known.id = logged.id) and not exists (
      select from (select content, content ->> 'type' = 'message' as is_message, content -> 'data' ->> 'message' as message
        from log where loggable_type = '${type}' and loggable_id = logged.id) entry where ${deleted})`,
  )
  .join(' union all ')

/** Rules that must always hold for log entries, accounts, baskets, files and mails. */
export const recordInvariants: Invariant[] = [
  { name: "a log entry's record is there, or an entry says that it was deleted", violations: orphanedLogs },
  {
    name: "a log entry's author, import and bulk edit are there",
    violations: `
      select format('log entry #%s: no user #%s', l.id, l.user_id) as violation from log l
      where l.user_id is not null and not exists (select from app_user u where u.id = l.user_id)
      union all
      select format('log entry #%s: no import #%s', l.id, l.import_id) from log l
      where l.import_id is not null and not exists (select from import i where i.id = l.import_id)
      union all
      select format('log entry #%s: no bulk edit #%s', l.id, l.bulk_id) from log l
      where l.bulk_id is not null and not exists (select from bulk_edit b where b.id = l.bulk_id)
      union all
      select format('log entry #%s is about a %s', id, loggable_type) from log
      where loggable_type not in (${Object.keys(LOGGED)
        .map((type) => `'${type}'`)
        .join(', ')})`,
  },
  {
    name: 'a customer is found by the cities of both addresses',
    violations: `
      select format('customer #%s is found by %s', c.id, to_jsonb(c.cities)) as violation
      from customer c left join address b on b.id = c.billing_address_id left join address d on d.id = c.delivery_address_id
      where c.cities <> concat_ws(E'\\n', b.city, d.city)`,
  },
  {
    name: 'a basket has only items that exist, each once',
    violations: `
      select format('the basket of user #%s has item #%s, which is not there', b.user_id, item) as violation
      from basket b, unnest(b.items) as item where not exists (select from stock s where s.id = item)
      union all
      select format('the basket of user #%s has item #%s %s times', user_id, item, count(*))
      from basket, unnest(items) as item group by user_id, item having count(*) > 1`,
  },
  {
    name: 'a closed account has neither sessions nor a basket, and an administrator is left',
    violations: `
      select format('user #%s is deleted and has a session', u.id) as violation
      from app_user u where deleted_at is not null and exists (select from session s where s.user_id = u.id)
      union all
      select format('user #%s is deleted and has a basket', u.id) from app_user u join basket b on b.user_id = u.id
      where deleted_at is not null
      union all
      select 'no administrator is left' where exists (select from app_user)
        and not exists (select from app_user where role = 'ROLE_ADMIN' and deleted_at is null)`,
  },
  {
    name: 'a file has all of its pieces',
    violations: `
      select format('file #%s (%s) has %s bytes in %s pieces, %s are said', f.id, f.name, coalesce(c.size, 0),
        coalesce(c.n, 0), f.size) as violation
      from file f left join (select file_id, sum(octet_length(data)) as size, count(*) as n, max(seq) as last
        from file_chunk group by file_id) c on c.file_id = f.id
      where f.size <> coalesce(c.size, 0) or c.last + 1 <> c.n`,
  },
  {
    name: 'every file belongs to something',
    violations: `
      select format('file #%s (%s) belongs to nothing', f.id, f.name) as violation
      from file f left join (
        select avatar_file_id as id from app_user union select logo_file_id from company
        union select file_id from document_version union select (data ->> 'logo_file_id')::int from document_version
        union select logo_file_id from purchase_receipt union select file_id from purchase_receipt_file
        union select file_id from sale_file union select file_id from letter union select unnest(file_ids) from mail) used using (id)
      where used.id is null`,
  },
  {
    name: 'an email has its files, and the times that its state needs',
    violations: `
      select format('mail #%s of sale #%s carries file #%s, which is not there', m.id, m.sale_id, file_id) as violation
      from mail m, unnest(m.file_ids) as file_id
      where m.sale_id is not null and not exists (select from file f where f.id = file_id)
      union all
      select format('mail #%s is %s, sending since %s, sent at %s', id, state, coalesce(sending_since::text, 'never'),
        coalesce(sent_at::text, 'never'))
      from mail where (state = 'sent') <> (sent_at is not null) or (state = 'sending' and sending_since is null)`,
  },
  {
    name: 'the accounts of DATEV have no more digits than the account length',
    violations: `
      select format('account %s of %s has more than %s digits', a.account, a.treatment, s.account_length) as violation
      from (select treatment, account from revenue_account union all select treatment, account from credit_account) a,
        accounting_settings s where length(a.account::text) > s.account_length`,
  },
]
