import { useState } from 'react'
import { api } from '#base/api.ts'
import { notify } from '#kit/notify.tsx'
import { notifyFailure } from '#records/notifyFailure.ts'

/** Checks an outside system, and shows its answer. */
export function useCheck({ key, name }: { key: string; name: string }, onChecked: () => Promise<unknown>) {
  const [busy, setBusy] = useState(false)
  const ask = async () => {
    setBusy(true)
    try {
      const { isAnswering, error: fault } = await api('POST /integrations/:key/check', { params: { key } })
      if (isAnswering) notify.success(`${name}: связь есть`)
      else notify.error(`${name}: ${fault}`)
    } catch (failure) {
      notifyFailure(failure as Error)
    } finally {
      await onChecked()
      setBusy(false)
    }
  }
  return { busy, ask }
}
