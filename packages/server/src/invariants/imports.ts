import type { Invariant } from './invariant.ts'

/** Rules that must always hold for imports: each row of each import has a result. */
export const importInvariants: Invariant[] = [
  {
    name: "an import's parts have all of its rows",
    violations: `
      select format('import #%s has %s rows, its parts have %s', i.id, i.total, coalesce(p.n, 0)) as violation
      from import i left join (select import_id, sum(cardinality(lines)) as n from import_part group by import_id) p
        on p.import_id = i.id
      where i.total <> coalesce(p.n, 0)
      union all
      select format('import #%s, part %s: %s lines, %s rows of cells', import_id, part, cardinality(lines),
        jsonb_array_length(cells))
      from import_part where cardinality(lines) <> jsonb_array_length(cells)`,
  },
  {
    name: 'an import that is done has done every part and counted every row',
    violations: `
      select format('import #%s is %s: %s succeeded and %s failed of %s', id, state, succeeded, failed, total) as violation
      from import where case when state = 'done' then succeeded + failed <> total else succeeded + failed > total end
      union all
      select format('import #%s is done, but part %s is not', i.id, p.part)
      from import i join import_part p on p.import_id = i.id where i.state = 'done' and p.done_at is null
      union all
      select format('import #%s is %s and ended at %s', id, state, coalesce(ended_at::text, 'no time')) from import
      where (state in ('done', 'failed')) <> (ended_at is not null)`,
  },
  {
    name: 'what an import counts is what its parts say',
    violations: `
      select format('import #%s counts %s succeeded and %s failed, its parts %s and %s, with %s errors', i.id, i.succeeded,
        i.failed, coalesce(p.succeeded, 0), coalesce(p.failed, 0), coalesce(e.n, 0)) as violation
      from import i
        left join (select import_id, count(*) filter (where action <> 'failed') as succeeded,
            count(*) filter (where action = 'failed') as failed
          from import_part, unnest(actions) as action where done_at is not null group by import_id) p on p.import_id = i.id
        left join (select import_id, count(*) as n from import_error group by import_id) e on e.import_id = i.id
      where (i.succeeded, i.failed, i.failed)
        <> (coalesce(p.succeeded, 0), coalesce(p.failed, 0), coalesce(e.n, 0))`,
  },
  {
    name: 'a preview that is planned says of each row what becomes of it, and counts them all',
    violations: `
      select format('preview #%s, part %s: %s rows, %s planned by plan %s of %s', i.id, p.part, cardinality(p.lines),
        coalesce(jsonb_array_length(p.plan), 0), p.plan_no, i.plan_no) as violation
      from import i join import_part p on p.import_id = i.id
      where i.state <> 'previewing' and i.preview is not null and i.plan is not null
        and (p.plan_no, jsonb_array_length(p.plan), (select sum(n) from unnest(p.planned) n))
          is distinct from (i.plan_no, cardinality(p.lines), cardinality(p.lines)::bigint)
      union all
      select format('preview #%s has %s rows and counts %s', i.id, i.total, c.n)
      from import i, lateral (select sum(n::int) as n from jsonb_each_text(i.plan -> 'counts') as c (kind, n)) c
      where i.state <> 'previewing' and c.n <> i.total`,
  },
  {
    name: 'each row of a part that is done has an item or an error',
    violations: `
      select format('import #%s, part %s has %s lines, %s items, %s actions', import_id, part, cardinality(lines),
        coalesce(cardinality(stock_ids), 0), coalesce(cardinality(actions), 0)) as violation
      from import_part where done_at is not null
        and (cardinality(stock_ids), cardinality(actions)) is distinct from (cardinality(lines), cardinality(lines))
      union all
      select format('import #%s, line %s: %s, item %s%s', p.import_id, r.line, r.action,
        coalesce('#' || r.stock_id, 'none'), case when e.row_no is null then '' else ', with an error' end)
      from import_part p cross join lateral unnest(p.lines, p.stock_ids, p.actions) as r (line, stock_id, action)
        left join import_error e on e.import_id = p.import_id and e.row_no = r.line
        left join stock s on s.id = r.stock_id
      where p.done_at is not null
        and case when r.action = 'failed' then r.stock_id is not null or e.row_no is null
          else e.row_no is not null or s.id is null and not exists (
            select from log where loggable_type = 'Stock' and loggable_id = r.stock_id
              and content -> 'data' ->> 'message' like 'Removed: import #% was undone.') end`,
  },
  {
    name: 'an import that is undone has taken back every part, and accounts for each item that it made or changed',
    violations: `
      select format('import #%s is undone, but part %s is not', i.id, p.part) as violation
      from import i join import_part p on p.import_id = i.id
      where i.undo = 'undone' and p.done_at is not null and p.undone_at is null
      union all
      select format('import #%s, part %s was taken back, but nobody has asked for it', i.id, p.part)
      from import i join import_part p on p.import_id = i.id where i.undo is null and p.undone_at is not null
      union all
      select format('import #%s, part %s: %s items made or changed, %s restored, %s removed, %s kept', import_id, part, n,
        coalesce(restored, 0), coalesce(removed, 0), coalesce(jsonb_array_length(kept), 0))
      from import_part, lateral (
        select count(*) as n from unnest(actions) as action where action in ('created', 'updated')) made
      where undone_at is not null
        and n is distinct from coalesce(restored, 0) + coalesce(removed, 0) + coalesce(jsonb_array_length(kept), 0)
      union all
      select format('item #%s is there, but import #%s has removed it', r.id, p.import_id)
      from import_part p cross join lateral unnest(p.stock_ids, p.actions) as r (id, action) join stock s on s.id = r.id
      where p.undone_at is not null and r.action = 'created' and not p.kept @> jsonb_build_array(jsonb_build_object('id', r.id))`,
  },
]
