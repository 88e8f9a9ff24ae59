import type { App } from '../http/typed-routes.ts'
import type { Answer, Client } from './app.ts'

export type PartnerClient = {
  id: number
  key: string
  get(path: string): Promise<Answer>
  post(path: string, body: object, headers?: Record<string, string>): Promise<Answer>
}

const BASE = '/api/partner/v1'

/** A client of the partner API. It sends its key, and nothing else that identifies it. */
export function partnerClient(app: App, id: number, key: string): PartnerClient {
  async function send(method: 'GET' | 'POST', path: string, body?: object, more = {}): Promise<Answer> {
    const headers = { authorization: `Bearer ${key}`, ...more }
    const response = await app.inject({ method, url: BASE + path, headers, ...(body && { payload: body }) })
    return {
      status: response.statusCode,
      body: response.json(),
      headers: response.headers,
      raw: response.rawPayload,
    }
  }
  return {
    id,
    key,
    get: (path) => send('GET', path),
    post: (path, body, headers) => send('POST', path, body, headers),
  }
}

/** Makes a partner whose orders go to this customer, with a key that an administrator has made. */
export async function makePartner(app: App, admin: Client, customer_id: number | null): Promise<PartnerClient> {
  const { id } = (await admin.post('/api/partner/create', { name: 'Shop', customer_id })).body.data
  return partnerClient(app, id, (await admin.post(`/api/partner/${id}/generate-token`)).body.data)
}
