import type { WriteAnswer } from '@backstock/contract/answer.ts'
import type { Sale } from '@backstock/contract/sale.ts'
import { api } from '../../../api/client.ts'
import { ApiError } from '../../../api/error.ts'
import { showToast } from '../../../api/toast.ts'
import { errorDialog } from '../../../ui/feedback/confirm-dialog.tsx'

/**
 * Uploads a PDF to a sale. The server may find that the file is no PDF, whatever its name; then the same dialog appears
 * as for any other wrong file.
 */
export async function uploadPdf(id: number, field: 'invoice' | 'shipping_label', file: File) {
  const body = new FormData()
  body.append(field, file)
  try {
    const answer = await api.post<WriteAnswer<Sale>>(`sale/${id}/pdf`, { body, silent: true })
    showToast({ type: answer.type, title: answer.title, message: answer.message })
    return answer
  } catch (error) {
    if (error instanceof ApiError && error.status === 415) errorDialog('Only PDF files are allowed')
    else if (error instanceof ApiError && error.status !== 401) showToast({ type: 'error', message: error.message })
    throw error
  }
}
