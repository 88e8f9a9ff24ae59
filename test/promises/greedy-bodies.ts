import { range } from './shop.ts'

/** The content type of a body, and a function that makes the body with at most `size` bytes. */
export type Greedy = { type: string; body(size: number): Buffer }

const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'
const MULTIPART_TYPE = 'multipart/form-data; boundary=b'

const json = (body: (size: number) => string): Greedy => ({ type: JSON_TYPE, body: (size) => Buffer.from(body(size)) })
const form = (body: (size: number) => string): Greedy => ({ type: FORM_TYPE, body: (size) => Buffer.from(body(size)) })
const multipart = (part: string): Greedy => ({
  type: MULTIPART_TYPE,
  body: (size) => Buffer.from(`${part.repeat(Math.floor((size - 7) / part.length))}--b--\r\n`),
})

/** A text of `size` characters: `start`, as many repeats of `part` as fit, `end`. */
const filled = (start: string, part: string, end: string) => (size: number) =>
  start + part.repeat(Math.floor((size - start.length - end.length) / part.length)) + end
/** A text of `size` characters in which each part has its number. */
const numbered = (start: string, part: (n: number) => string, between: string, end: string) => (size: number) => {
  const longest = part(10_000_000).length + between.length
  return (
    start +
    range(Math.floor((size - start.length - end.length) / longest))
      .map(part)
      .join(between) +
    end
  )
}
const nested = (start: string, open: string, close: string, end: string) => (size: number) => {
  const depth = Math.floor((size - start.length - end.length) / (open.length + close.length))
  return start + open.repeat(depth) + close.repeat(depth) + end
}
/** The list under each name that some route uses for a list. */
const asLists = (list: string) => `"items":${list},"lines":${list},"stock_items":${list}`
const lists = (one: string) => (size: number) => {
  const list = `[${Array(Math.max(1, Math.floor((size - 60) / 3 / (one.length + 1))))
    .fill(one)
    .join()}]`
  return `{"name":"a","batch_id":1,${asLists(list)}}`
}

/** Bodies that take long to read, or whose size is hard to check. */
export const GREEDY: Record<string, Greedy> = {
  'many form fields': form(numbered('', (n) => `k${n}`, '&', '')),
  'one form field, often': form(filled('items=1', '&items=1', '')),
  'empty form fields': form(filled('', '&', '')),
  'escaped form text': form(filled('name=', '%E2%82%AC', '')),
  'nested JSON text in a form': form(nested('stock_items=', '[', ']', '')),
  'nested lists': json(nested('', '[', ']', '')),
  'nested objects': json(nested('', '{"a":', '}', '').bind(null)),
  'nested lists in a field': json(nested('{"name":', '[', ']', '}')),
  'nested beside __proto__': json(nested('{"__proto__":1,"items":', '[', ']', '}')),
  'many names': json(numbered('{', (n) => `"k${n}":1`, ',', '}')),
  'objects of many names': json((size) =>
    filled('{"items":[{}', `,{${range(500).map((n) => `"k${n}":1`)}}`, ']}')(size),
  ),
  'many numbers': json(filled('{"items":[1', ',1', ']}')),
  'empty objects': json(filled('{"items":[{}', ',{}', ']}')),
  'lists of wrong things': json(lists('[]')),
  'lists of words': json(lists('"a"')),
  'lists of nothing': json(lists('""')),
  'lists of objects': json(lists('{"id":"x","sales_price":-1}')),
  'ids in a text': json((size) => `{"name":"a","batch_id":1,"items":"${'1,'.repeat(size / 2 - 20)}"}`),
  'ids in the texts of groups': json(
    filled(
      `{"items":[1],"token":"${'a'.repeat(64)}","changes":{"sales_prices":[{"items":"1","set":1}`,
      `,{"items":"${'x,'.repeat(9999)}x","set":1}`,
      ']}}',
    ),
  ),
  'long text': json(filled('{"name":"', 'a-', '"}')),
  blanks: json(filled('{"name":"a', ' ', `${'a'.repeat(300)}"}`)),
  'an address without end': json(filled('{"email":"a@', 'a-', '","customer_email":"a@a"}')),
  escapes: json(filled('{"name":"', '\\u0000', '"}')),
  'many parts': multipart('--b\r\nContent-Disposition: form-data; name="name"\r\n\r\n1\r\n'),
  'JSON in parts': {
    type: MULTIPART_TYPE,
    body: (size) => {
      const head = '--b\r\nContent-Disposition: form-data; name="stock_items"\r\nContent-Type: application/json\r\n\r\n'
      return Buffer.from(nested(head, '[', ']', '\r\n--b--\r\n')(size))
    },
  },
  'no known type': { type: 'application/octet-stream', body: (size) => Buffer.alloc(size) },
}

/** Queries and cookies as long as the limit of headers, and longer. */
export const GREEDY_HEADERS: Record<string, { query?: string; cookie?: string }> = {
  'many query names': {
    query: range(2500)
      .map((n) => `a${n}`)
      .join('&'),
  },
  'one query name, often': { query: 'ids=1&'.repeat(2600) },
  'a list in a query': { query: `ids=${'1,'.repeat(7800)}&status=${','.repeat(100)}` },
  '20,000 query names': {
    query: range(20_000)
      .map((n) => `a${n}`)
      .join('&'),
  },
  'many cookies': {
    cookie: range(1900)
      .map((n) => `c${n}=1`)
      .join(';'),
  },
  'one cookie, often': { cookie: 'backstock_session=a;'.repeat(780) },
  '10,000 cookies': {
    cookie: range(10_000)
      .map((n) => `c${n}=1`)
      .join(';'),
  },
}
