import { ApiError, errorMessage } from '#base/apiError.ts'
import { notify } from '#kit/notify.tsx'

/** Toasts of regulations: top right, 2.5 s (spec §8, §9). */
const options = { position: 'top-right', timeout: 2_500 } as const

export const toastDone = (message: string): void => void notify.success(message, options)

/** «Ошибка при сохранении: …». Missing rights and a lost connection already have their own toasts. */
export function toastFailed(what: string, error: unknown, title?: string): void {
  if (error instanceof ApiError && (error.status === 403 || error.status === 401 || error.code === 'network')) return
  notify.error(`${what}: ${typeof error === 'string' ? error : errorMessage(error)}`, { ...options, title })
}

export const toastLoadFailed = (error: unknown): void => toastFailed('Ошибка при загрузке данных', error)
