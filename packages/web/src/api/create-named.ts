import type { WriteAnswer } from '@backstock/contract/answer.ts'
import { api } from './client.ts'
import { ApiError } from './error.ts'
import { invalidate } from './reads.ts'

type Named = 'make' | 'colour' | 'category' | 'grade' | 'supplier'

/**
 * Creates a record of an area that needs only a name. Returns null if the server refuses; a toast has shown the reason.
 */
export const createNamed =
  <Row>(area: Named) =>
  async (name: string): Promise<Row | null> => {
    try {
      const body = area === 'supplier' ? { company_name: name } : { name }
      const { data } = await api.post<WriteAnswer<Row>>(`${area}/create`, { body })
      void invalidate(area)
      return data
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return null
    }
  }
