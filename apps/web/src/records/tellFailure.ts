import { ApiError, errorMessage } from '../base/apiError.ts'
import { notify } from '../kit/notify.tsx'

/** A toast on a write that failed. A refusal by rights and a lost connection have theirs already (app/http.ts). */
export function tellFailure(error: unknown): void {
  if (error instanceof ApiError && (error.status === 403 || error.status === 401 || error.code === 'network')) return
  notify.error(errorMessage(error))
}
