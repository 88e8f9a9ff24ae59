import { seeded } from '../../packages/server/src/testing/chance.ts'
import type { LoadShop } from './load-shop.ts'
import type { Answer, Staff } from './load-staff.ts'
import { range } from './shop.ts'

/** The items on which the crowd works, and the answers that it got. */
export type Crowd = {
  shop: LoadShop
  /** `wild` items may change in any way. `quiet` ones change only in price, location and notes, and lie in baskets. */
  wild: Phone[]
  quiet: Phone[]
  /** Inbound phones of an import whose delivery is being checked. */
  inbound: Phone[]
  check: number
  importId: number
  batches: number[]
  sales: { id: number; items: number[] }[]
  imports: number[]
  /** `acts` are the bulk edits with a successful answer, `undone` the successful undos among them. */
  acts: { id: number; changed: number }[]
  /** For bulk edits of items as they were seen: the `updated_at` of each item at that time. */
  seen: Map<number, Map<number, string>>
  undone: Map<number, { restored: number; kept: { id: number; reason: string }[] }>
  /** The successful answers to the requests under each idempotency key. */
  keys: Map<string, { act: string; answers: Answer[] }>
  /** The items that each person has added to the basket and not removed again. */
  baskets: Map<number, Set<number>>
  heard: { act: string; answer: Answer }[]
}
export type Phone = { id: number; imei: string }
type Edit = { which: { items: number[] } | { filter: object }; changes: object; seen?: Map<number, string> }

/** How often a request is repeated at most if the answer asks for another try. */
const TRIES = 8
/** The most tries to undo a bulk edit after the crowd's work. */
const MOST_UNDOS = 50
/** Whether an answer asks for another try. */
export const isBusy = ({ status, headers }: Answer) =>
  headers['retry-after'] !== undefined && (status === 503 || status === 409)

type Sent = { body?: object | FormData; headers?: Record<string, string> }

/** A member of the crowd, with a window at each of the two servers. */
export class Colleague {
  readonly #crowd: Crowd
  readonly #windows: readonly Staff[]
  readonly #random: () => number
  #requests = 0

  constructor(crowd: Crowd, windows: readonly Staff[], seed: number) {
    this.#crowd = crowd
    this.#windows = windows
    this.#random = seeded(seed)
    crowd.baskets.set(this.id, new Set())
  }

  get id(): number {
    return this.#windows[0]!.id
  }

  /** Does one thing after another. */
  async work(rounds: number): Promise<void> {
    for (const _ of range(rounds)) await this.#chosen()()
  }

  /** Edits items and undoes edits until one undo has succeeded. A small crowd may draw none. */
  async undoOne(): Promise<void> {
    for (let tries = 0; this.#crowd.undone.size === 0 && tries < MOST_UNDOS; tries++) {
      await this.#editMany()
      await this.#undo()
    }
  }

  #chosen(): () => Promise<unknown> {
    const habits: [weight: number, act: () => Promise<unknown>][] = [
      [22, () => this.#editMany()],
      [12, () => this.#undo()],
      [8, () => this.#offer()],
      [12, () => this.#scanToBasket()],
      [14, () => this.#sell()],
      [8, () => this.#moveSale()],
      [5, () => this.#takeBack()],
      [9, () => this.#changeBatch()],
      [5, () => this.#editOne()],
      [2, () => this.#import()],
      [1, () => this.#undoImport()],
      [3, () => this.#receive()],
    ]
    let left = this.#random() * habits.reduce((sum, [weight]) => sum + weight, 0)
    for (const [weight, act] of habits) {
      if (left < weight) return act
      left -= weight
    }
    return habits[0]![1]
  }

  #one<Item>(from: readonly Item[]): Item | undefined {
    return from[Math.floor(this.#random() * from.length)]
  }

  #some<Item>(from: readonly Item[], most: number): Item[] {
    const chosen = new Set<Item>()
    for (const _ of range(1 + Math.floor(this.#random() * most))) chosen.add(this.#one(from)!)
    return [...chosen]
  }

  #isTrue(share: number): boolean {
    return this.#random() < share
  }

  async #call(act: string, method: 'GET' | 'POST' | 'PUT', path: string, sent: Sent = {}, at?: Staff): Promise<Answer> {
    const answer = await (at ?? this.#one(this.#windows)!).call(method, path, sent)
    this.#crowd.heard.push({ act, answer })
    return answer
  }

  /** Repeats a request as long as its answer asks for another try. */
  async #insist(act: string, path: string, sent: Sent = {}, at?: Staff): Promise<Answer> {
    let answer = await this.#call(act, 'POST', path, sent, at)
    for (let tries = 1; isBusy(answer) && tries < TRIES; tries++) answer = await this.#call(act, 'POST', path, sent, at)
    return answer
  }

  /**
   * Sends a request under a key of its own, sometimes from both windows at once. Returns the answer of a success, if
   * there is one.
   */
  async #once(act: string, path: string, body?: object | FormData): Promise<Answer> {
    const key = `${this.id}-${++this.#requests}`
    const sent = { ...(body && { body }), headers: { 'idempotency-key': key } }
    const windows = this.#isTrue(0.3) ? this.#windows : [this.#one(this.#windows)!]
    const answers = await Promise.all(windows.map((at) => this.#insist(act, path, sent, at)))
    const done = answers.filter(({ status }) => status < 300)
    if (done.length) this.#crowd.keys.set(key, { act, answers: done })
    return done[0] ?? answers[0]!
  }

  async #editMany(): Promise<void> {
    const edit = await this.#edit()
    const { which, changes, seen } = edit
    const asked = await this.#insist('preview', '/api/stock/bulk/preview', { body: { ...which, changes } })
    if (asked.status !== 200 && !isBusy(asked)) throw new Error(`${JSON.stringify([edit, asked.body])}`)
    let preview = asked.status === 200 ? asked.body.data : undefined
    for (let tries = 1; preview?.will_change > 0 && tries < TRIES; tries++) {
      const { token } = preview
      const { status, body } = await this.#once('edit many', '/api/stock/bulk', { ...which, changes, token })
      if (status === 200) {
        this.#crowd.acts.push({ id: body.data.bulk_id, changed: body.data.changed })
        if (seen) this.#crowd.seen.set(body.data.bulk_id, seen)
      }
      preview = status === 409 ? body.data?.preview : undefined
    }
  }

  /** Chooses a bulk edit: the items and their changes. */
  async #edit(): Promise<Edit> {
    const { wild, quiet, batches } = this.#crowd
    if (this.#isTrue(0.25)) return this.#moveFiltered()
    if (this.#isTrue(0.25)) {
      const changes = this.#one([
        { status: 'Deleted', location: 'Gone' },
        { status: 'In Stock' },
        { batch_id: this.#one(batches) ?? null },
        { batch_id: null },
      ])!
      return { which: { items: this.#some(wild, 12).map(({ id }) => id) }, changes }
    }
    const isQuiet = this.#isTrue(0.5)
    const phones = [...this.#some(isQuiet ? quiet : wild, 30), ...this.#some(isQuiet ? wild : quiet, isQuiet ? 30 : 1)]
    const items = phones.map(({ id }) => id)
    if (this.#isTrue(0.25)) return this.#priceGroups(items)
    if (this.#isTrue(0.3)) return { which: { items }, changes: this.#pastedPrices(phones) }
    const changes = this.#one<object>([
      { sales_price: { percent: Math.round(this.#random() * 1800 - 900) / 100 || 1, of: 'sales_price', round: '.99' } },
      { sales_price: { percent: 10, of: 'purchase_price' }, location: `Shelf ${Math.floor(this.#random() * 9)}` },
      { purchase_price: { percent: -1.5, of: 'purchase_price' } },
      { location: this.#isTrue(0.2) ? null : `Box ${Math.floor(this.#random() * 50)}` },
      { note: `Seen by ${this.id}` },
    ])!
    const filter = { price_from: String(20_000 + Math.floor(this.#random() * 30_000)), status: 'In Stock' }
    return { which: this.#isTrue(0.15) ? { filter: { ...filter, search: 'Galaxy 7' } } : { items }, changes }
  }

  #price(): number {
    return 1 + Math.floor(this.#random() * 90_000)
  }

  /** A bulk edit of all items that match a filter. No filter matches a quiet phone. */
  #moveFiltered(): Edit {
    const { wild, batches } = this.#crowd
    const [one, other] = [this.#one(batches), this.#one(batches) ?? null]
    const here = { ids: this.#some(wild, 25).map(({ id }) => id), status: 'In Stock' }
    const [filter, changes] = this.#one<[object, object]>([
      [here, { status: 'Deleted' }],
      [here, { batch_id: other, location: 'Pallet' }],
      [{ batch_id: one, status: 'In Batch' }, { batch_id: other }],
      [{ batch_id: String(one), status: 'In Batch' }, { batch_id: null }],
      [{ status: 'Deleted' }, { status: 'In Stock', location: 'Found' }],
    ])!
    return { which: { filter }, changes }
  }

  /** Prices for two groups of items, mostly with the `updated_at` of the items, which were read just before. */
  async #priceGroups(items: number[]): Promise<Edit> {
    const middle = Math.floor(this.#random() * items.length)
    const groups = [items.slice(0, middle), items.slice(middle)].filter((group) => group.length > 0)
    const priced = groups.map((group) => ({ items: group, set: this.#isTrue(0.1) ? null : this.#price() }))
    const { status, body } = await this.#call('look', 'GET', `/api/stock/find?ids=${items}&per_page=250`)
    if (status !== 200 || this.#isTrue(0.2)) return { which: { items }, changes: { sales_prices: priced } }
    const seen = new Map<number, string>(
      body.data.map((row: Phone & { updated_at: string }) => [row.id, row.updated_at]),
    )
    const sales_prices = priced.map((group) => ({ ...group, seen: group.items.map((id) => seen.get(id)) }))
    return { which: { items }, changes: { sales_prices }, seen }
  }

  /**
   * A pasted column: IMEIs with prices and some lines that mean nothing, or prices alone, in the order of the items.
   */
  #pastedPrices(phones: readonly Phone[]): object {
    const written = () => (this.#price() / 100).toFixed(2)
    const pasted = this.#isTrue(0.3)
      ? phones.map(written)
      : ['IMEI\tPrice', ...phones.map(({ imei }) => `${imei}\t${written()}`), '12 500', '356938035643809\t10'].reverse()
    return { sales_price: { pasted, ...(this.#isTrue(0.3) && { never_below_cost: true, round: '.99' }) } }
  }

  async #undo(): Promise<void> {
    const act = this.#one(this.#crowd.acts.slice(-40))
    if (!act) return
    // Both windows show the Undo button, and both press it.
    const answers = await Promise.all(
      this.#windows.map((at) => this.#insist('undo', `/api/stock/bulk/${act.id}/undo`, {}, at)),
    )
    for (const { status, body } of answers) {
      if (status !== 200) continue
      if (this.#crowd.undone.has(act.id)) throw new Error(`Bulk edit #${act.id} was undone twice`)
      this.#crowd.undone.set(act.id, body.data)
    }
  }

  async #offer(): Promise<void> {
    const source = this.#one(['basket=1', 'status=In Stock', `batch_id=${this.#one(this.#crowd.batches)}`])
    const format = this.#one(['', '/xlsx', '/pdf'])
    await this.#call('offer', 'GET', encodeURI(`/api/offer${format}?${source}${format ? '&percent=-2' : ''}`))
  }

  /**
   * Scans phones and adds them to the basket, from both windows at once: read the basket, add the items, save if nobody
   * has changed it meanwhile.
   */
  async #scanToBasket(): Promise<void> {
    const { wild, quiet, baskets } = this.#crowd
    const scan = async (at: Staff) => {
      const phones = [...this.#some(quiet, 4), ...this.#some(wild, 2)]
      const codes = [...phones.map(({ imei }) => ` ${imei}\t`), '89049032000001000000012345678901', '<b>no phone</b>']
      const found = await this.#insist('scan', '/api/stock/scan-find', { body: { codes } }, at)
      if (found.status !== 200) return
      const ids: number[] = found.body.data.flatMap(({ item }: { item: Phone | null }) => item?.id ?? [])
      if (ids.join() !== phones.map(({ id }) => id).join()) throw new Error(`Scanned ${codes}, found ${ids}`)
      for (let tries = 0; tries < 4 * TRIES; tries++) {
        const url = `/api/user/${this.id}/basket`
        const { body, headers, status } = await this.#call('basket', 'GET', url, {}, at)
        if (status !== 200) continue
        const items = [...body.data.map(({ id }: Phone) => id), ...ids]
        const saved = { body: { items }, headers: { 'if-match': String(headers['etag']) } }
        if ((await this.#call('basket', 'PUT', url, saved, at)).status !== 200) continue
        for (const id of ids) baskets.get(this.id)!.add(id)
        return
      }
    }
    await Promise.all(this.#windows.map(scan))
  }

  async #sell(): Promise<void> {
    const items = this.#some(this.#crowd.wild, 4).map(({ id }) => id)
    const { status, body } = await this.#once('sell', '/api/sale/create', {
      stock_items: items.map((id) => ({ id })),
      customer_id: this.#crowd.shop.customer,
      create_invoice: this.#isTrue(0.5),
      includeVat: this.#isTrue(0.5),
      send_email: false,
    })
    if (status === 201) this.#crowd.sales.push({ id: body.data.id, items })
  }

  async #moveSale(): Promise<void> {
    const sale = this.#one(this.#crowd.sales)
    const to = this.#one(['Awaiting Dispatch', 'Voided', 'Dispatched', 'Dispatched'])
    if (!sale) return
    const move = (status: string) => this.#insist('move a sale', `/api/sale/${sale.id}/edit`, { body: { status } })
    if (to === 'Dispatched') await move('Awaiting Dispatch')
    await move(to!)
  }

  async #takeBack(): Promise<void> {
    const sale = this.#one(this.#crowd.sales)
    if (!sale) return
    const id = this.#one(sale.items)!
    if (this.#isTrue(0.3)) {
      await this.#insist('return', `/api/sale/${sale.id}/return-item/${id}`)
      return
    }
    const outcome = this.#one(['restock', 'restock', 'inbound', 'scrap'])
    const items = [{ id, sale_id: sale.id, outcome, ...(this.#isTrue(0.3) && { price: 1 }) }]
    const { customer } = this.#crowd.shop
    await this.#once('return', '/api/return/create', { customer_id: customer, items, received: true })
  }

  async #changeBatch(): Promise<void> {
    const { wild, batches } = this.#crowd
    const [one, other] = [this.#one(batches), this.#one(batches)]
    const items = this.#some(wild, 5).map(({ id }) => id)
    const edit = (is_locked: boolean) => this.#insist('batch', `/api/batch/${one}/edit`, { body: { is_locked } })
    const acts = [
      () => edit(true),
      () => edit(true),
      () => edit(false),
      () => this.#insist('batch', '/api/batch/add-items', { body: { batch_id: one, items } }),
      () => this.#insist('batch', '/api/batch/add-items', { body: { batch_id: one, items } }),
      () => this.#insist('batch', '/api/batch/add-items', { body: { batch_id: one, id: other, items } }),
      () => this.#insist('batch', `/api/batch/${one}/remove-item/${items[0]}`),
      async () => {
        const name = `Batch of ${this.id}`
        const { status, body } = await this.#insist('batch', '/api/batch/create', { body: { name, items } })
        if (status === 201) batches.push(body.data.id)
      },
    ]
    await this.#one(acts)!()
  }

  async #editOne(): Promise<void> {
    const { wild, quiet } = this.#crowd
    const phone = this.#one(this.#isTrue(0.5) ? quiet : wild)!
    const body = this.#isTrue(0.5) ? { sales_price: 1 + Math.floor(this.#random() * 90_000) } : { location: 'By hand' }
    await this.#insist('edit', `/api/stock/${phone.id}/edit`, { body })
  }

  async #import(): Promise<void> {
    const { wild, quiet } = this.#crowd
    const row = ({ imei }: Phone) => `${imei},${(1 + Math.floor(this.#random() * 90_000)) / 100},Imported,`
    const gone = this.#some(wild, 2).map(({ imei }) => `${imei},,,Deleted`)
    const phones = new Map([...this.#some(wild, 20), ...this.#some(quiet, 5)].map((phone) => [phone.id, phone]))
    const lines = ['imei,sales_price,location,status', ...[...phones.values()].map(row), ...gone]
    const form = new FormData()
    form.set('csv', new Blob([lines.join('\n')], { type: 'text/csv' }), 'prices.csv')
    form.set('update_existing', 'true')
    const { status, body } = await this.#once('import', '/api/stock/import/csv', form)
    if (status === 202) this.#crowd.imports.push(body.data.import_id)
  }

  async #undoImport(): Promise<void> {
    const id = this.#one(this.#crowd.imports)
    if (id) await this.#once('undo an import', `/api/stock/import/history/${id}/undo`)
  }

  async #receive(): Promise<void> {
    const { check, importId, inbound, acts } = this.#crowd
    const codes = this.#some(inbound, 8).map(({ imei }) => imei)
    await this.#once('check', `/api/stock/check/${check}/scan`, { codes })
    const { status, body } = this.#isTrue(0.7)
      ? await this.#once('receive', `/api/stock/check/${check}/receive`)
      : await this.#once('receive', '/api/stock/bulk/receive', { import_id: importId })
    if (status === 200) acts.push({ id: body.data.bulk_id, changed: body.data.received })
  }
}
