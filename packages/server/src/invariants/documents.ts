import type { Invariant } from './invariant.ts'

/** Rules that must always hold for invoices and credit notes, and for their printed data. */
export const documentInvariants: Invariant[] = [
  {
    name: 'numbers of documents have neither gaps nor doubles',
    violations: `
      select format('%s %s: number %s is missing', s.series, s.year, n) as violation
      from number_series s, generate_series(1, s.last) n
      where s.series <> 'purchase_receipt' and not exists (select from document d where (d.series, d.year, d.number) = (s.series, s.year, n))
        and not (s.series = 'PR' and exists (select from purchase_receipt r where (r.year, r.number) = (s.year, n)))
      union all
      select format('%s %s: sales %s have the number %s', series, year,
        string_agg('#' || sale_id, ', ' order by sale_id), number)
      from document group by series, year, number having count(*) > 1
      union all
      select format('%s %s: sale #%s has the number %s, the last one is %s', d.series, d.year, d.sale_id, d.number,
        coalesce(s.last, 0))
      from document d left join number_series s using (series, year) where d.number not between 1 and coalesce(s.last, 0)
      union all
      select format('document #%s is a %s in the series %s', id, kind, series) from document
      where (kind = 'credit_note') <> (series in ('credit_note', 'sample_credit_note'))
      union all
      select format('%s is in a series of reverse charge, item #%s is %s', d.printed, l.stock_id, l.treatment)
      from document d join document_line l on l.document_id = d.id
      where d.series not in ('invoice', 'sample', 'credit_note', 'sample_credit_note') and l.treatment <> 'reverse_charge'`,
  },
  {
    name: 'a sale has the number of its invoice that no other replaced, and each document prints its own number',
    violations: `
      select format('sale #%s says %s, its invoice is %s', s.id, coalesce(s.invoice_number, 'nothing'),
        coalesce(d.printed, 'not there')) as violation
      from sale s left join document d on d.sale_id = s.id and d.kind = 'invoice' and d.replaced_by_id is null
      where s.invoice_number is distinct from d.printed
      union all
      select format('sale #%s: version %s of %s prints %s', d.sale_id, v.version, d.printed, v.data ->> 'number')
      from document d join document_version v on v.document_id = d.id where v.data ->> 'number' is distinct from d.printed
      union all
      select format('sale #%s: %s has no version', d.sale_id, d.printed) from document d
      where not exists (select from document_version v where v.document_id = d.id)`,
  },
  {
    name: 'a document that is ready has its file, and the file is the one that was sealed',
    violations: `
      select format('sale #%s: %s is ready and version %s has no file', d.sale_id, d.printed, v.version) as violation
      from document d join lateral (
        select version, file_id from document_version where document_id = d.id
        order by (is_copy and file_id is null), version desc limit 1) v on true -- A copy may have failed.
      where d.status = 'ready' and v.file_id is null
      union all
      select format('file #%s is not what was sealed', f.id) from file f join (
        select file_id, sha256(string_agg(data, ''::bytea order by seq)) as hash from file_chunk
        where file_id in (select file_id from document_version) group by file_id) c on c.file_id = f.id
      where f.sha256 <> c.hash
      union all
      select format('the %s of version %s of %s is not what was sealed', upper(x.syntax), x.version, d.printed)
      from document_xml x join document d on d.id = x.document_id where x.sha256 <> sha256(x.content)`,
  },
  {
    name: 'a document that was handed over is final, has a profile, and its e-invoice is kept',
    violations: `
      select format('sale #%s: %s was handed over as %s', d.sale_id, d.printed, h.file_name) as violation
      from document_handover h join document d on d.id = h.document_id
      where d.left_at is null or not exists (select from document_profile p where p.document_id = d.id)
        or not exists (select from document_xml x where x.document_id = d.id and x.version = coalesce(h.version, x.version)
          and x.syntax not in ('cii', 'ubl'))`,
  },
  {
    name: 'a document that has a number has a file, or gets one',
    violations: `
      select format('sale #%s: %s has a number and no file: %s', d.sale_id, d.printed,
        case d.status when 'failed' then 'it could not be made: ' || coalesce(d.error, '') else 'it was taken off before it was made' end) as violation
      from document d where d.status in ('none', 'failed')
        and not exists (select from document_version v where v.document_id = d.id and v.file_id is not null)`,
  },
  {
    name: "a document's totals are those of its lines, of its VAT and of what is printed",
    violations: `
      with lines as (select document_id, sum(net) as net, sum(margin_vat) as margin_vat from document_line group by 1),
        vat as (select document_id, sum(net) as net, sum(net + vat) as gross from document_vat group by 1)
      select format('%s comes to %s (%s), its lines to %s, its VAT to %s (%s)', printed, total_net, total_gross, l.net, v.net, v.gross)
        as violation
      from document d left join lines l on l.document_id = d.id left join vat v on v.document_id = d.id
      where (total_net, total_gross, total_margin_vat, total_net)
        is distinct from (coalesce(v.net, 0), coalesce(v.gross, 0), coalesce(l.margin_vat, 0), coalesce(l.net, 0))
      union all
      select format('%s comes to %s (%s), it prints %s (%s)', d.printed, d.total_net, d.total_gross, v.data ->> 'total_net',
        v.data ->> 'total_gross')
      from document d join lateral (
        select data from document_version where document_id = d.id order by version desc limit 1) v on true
      where v.data ? 'total_net' and (total_net, total_gross)
        <> ((v.data ->> 'total_net')::bigint, (v.data ->> 'total_gross')::bigint)
      union all
      select format('%s: %s at %s%% is %s, its lines come to %s', d.printed, coalesce(v.treatment, l.treatment),
        coalesce(v.rate, l.rate) / 100.0, coalesce(v.net, 0), coalesce(l.net, 0))
      from document_vat v full join (
        select document_id, treatment, rate, sum(net) as net from document_line group by 1, 2, 3) l using (document_id, treatment, rate)
        join document d on d.id = document_id
      where coalesce(v.net, 0) <> coalesce(l.net, 0)
      union all
      select format('%s: of %s at %s%% it prints %s and %s VAT', d.printed, v.treatment, v.rate / 100.0,
        coalesce(p.net::text, 'nothing'), coalesce(p.vat, 0))
      from document d join lateral (
        select data -> 'vat_totals' as totals from document_version where document_id = d.id order by version desc limit 1) n
          on n.totals -> 0 ? 'treatment'
        join document_vat v on v.document_id = d.id
        left join lateral jsonb_to_recordset(n.totals) as p (treatment text, rate int, net bigint, vat bigint)
          on (p.treatment, p.rate) = (v.treatment, v.rate)
      where (v.net, v.vat) is distinct from (p.net, p.vat)
      union all
      select format('sale #%s says that its documents ask for %s', s.id, s.invoiced_total)
      from sale s left join (
        select sale_id, sum(case kind when 'invoice' then total_gross else -total_gross end) as total from document
        group by sale_id) d on d.sale_id = s.id
      where s.invoiced_total <> coalesce(d.total, 0)`,
  },
  {
    name: 'what was paid for a sale is the sum of its payments, and each is reversed once and whole',
    violations: `
      select format('sale #%s says that %s was paid, its payments are %s', s.id, s.paid_total, coalesce(p.total, 0)) as violation
      from sale s left join (select sale_id, sum(amount) as total from payment group by sale_id) p on p.sale_id = s.id
      where s.paid_total <> coalesce(p.total, 0)
      union all
      select format('payment #%s of %s reverses #%s of %s', u.id, u.amount, p.id, p.amount)
      from payment u join payment p on p.id = u.undoes_id
      where u.amount <> -p.amount or u.sale_id <> p.sale_id or p.undoes_id is not null`,
  },
  {
    name: 'credit notes take back what their invoice has, and no more',
    violations: `
      select format('%s credits %s of sale #%s', c.printed, i.printed, i.sale_id) as violation
      from document c join document i on i.id = c.credits_id where c.sale_id <> i.sale_id or i.kind <> 'invoice'
      union all
      select format('%s: item #%s is credited with %s, credit notes say %s', i.printed, l.stock_id, l.credited,
        coalesce(c.price, 0))
      from document_line l join document i on i.id = l.document_id and i.kind = 'invoice' left join (
        select d.credits_id, l.stock_id, sum(l.price) as price from document d join document_line l on l.document_id = d.id
        where d.kind = 'credit_note' group by 1, 2) c on c.credits_id = i.id and c.stock_id = l.stock_id
      where l.credited <> coalesce(c.price, 0)
      union all
      select format('%s: item #%s is credited under another treatment or rate than %s has it', c.printed, l.stock_id, i.printed)
      from document c join document i on i.id = c.credits_id join document_line l on l.document_id = c.id
        left join document_line o on o.document_id = i.id and o.stock_id = l.stock_id
      where (o.treatment, o.rate) is distinct from (l.treatment, l.rate)
      union all
      select format('%s was replaced, and item #%s is not credited in full', i.printed, l.stock_id)
      from document i join document_line l on l.document_id = i.id
      where i.replaced_by_id is not null and not i.asks_still and l.credited <> l.price
      union all
      select format('%s: item #%s is %s', d.printed, l.stock_id, coalesce(l.credit_kind, 'credited for no reason'))
      from document d join document_line l on l.document_id = d.id
      where (d.kind = 'credit_note') <> (l.credit_kind is not null)
        or d.reason in ('return', 'void') and l.credit_kind not in (d.reason, 'allowance')`,
  },
  {
    // If an invoice has no credit note at all, its items came back before Backstock made credit notes.
    name: 'the whole deduction of a returned phone is taken back, and no purchase is deducted twice',
    violations: `
      with line as (
        select d.printed, d.sale_id, d.replaced_by_id, l.*, i.released, s.status, coalesce(c.cost, 0) as given_back,
          coalesce(c.is_over, false) as is_over
        from document d join document_line l on l.document_id = d.id join sale s on s.id = d.sale_id
          left join sale_item i on i.sale_id = d.sale_id and i.stock_id = l.stock_id
          left join (
            select n.credits_id, e.stock_id, sum(e.cost) as cost, bool_or(e.credit_kind <> 'allowance') as is_over
            from document n join document_line e on e.document_id = n.id where n.kind = 'credit_note' group by 1, 2) c
            on c.credits_id = d.id and c.stock_id = l.stock_id
        where d.kind = 'invoice' and l.treatment = 'margin')
      select format('%s: of item #%s, bought for %s, %s is given back', printed, stock_id, cost, given_back) as violation
      from line
      where given_back <> case when is_over then cost else 0 end
        or given_back = 0 and cost > 0 and (replaced_by_id is not null or released in ('returned', 'voided', 'removed'))
          and (price = 0 or credited > 0 or replaced_by_id is not null)
      union all
      select format('%s has %s VAT in the margin of item #%s, it should be %s', printed, margin_vat, stock_id,
        round(greatest(price - cost, 0)::numeric * margin_rate / (10000 + margin_rate)))
      from line where margin_vat <> round(greatest(price - cost, 0)::numeric * margin_rate / (10000 + margin_rate))
      union all
      select format('credit notes of %s take back %s VAT in the margin of item #%s, it should be %s', l.printed,
        c.margin_vat, l.stock_id, l.margin_vat
          - round(greatest(l.price - l.credited - (l.cost - l.given_back), 0)::numeric * l.margin_rate / (10000 + l.margin_rate)))
      from line l join (
        select n.credits_id, e.stock_id, sum(e.margin_vat) as margin_vat
        from document n join document_line e on e.document_id = n.id where n.kind = 'credit_note' group by 1, 2) c
        on c.credits_id = l.document_id and c.stock_id = l.stock_id
      where c.margin_vat <> l.margin_vat
        - round(greatest(l.price - l.credited - (l.cost - l.given_back), 0)::numeric * l.margin_rate / (10000 + l.margin_rate))`,
  },
]
