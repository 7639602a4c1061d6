import { ApiError, errorMessage } from '#base/apiError.ts'
import { notify } from '#kit/notify.tsx'

/** Shows a toast for a failed write. A refusal by rights and a lost connection have their own (app/http.ts). */
export const notifyFailure = (error: unknown): void => notifyTitledFailure(undefined, error)

/** The same with a title: «Ошибка создания задачи». */
export function notifyTitledFailure(title: string | undefined, error: unknown): void {
  if (error instanceof ApiError && (error.status === 403 || error.status === 401 || error.code === 'network')) return
  notify.error(errorMessage(error), { title })
}
