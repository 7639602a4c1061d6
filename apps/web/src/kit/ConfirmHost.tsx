import { lazy, Suspense, useSyncExternalStore } from 'react'
import { confirmState } from './confirm.ts'

const ConfirmDialog = lazy(() => import('./ConfirmDialog.tsx'))

/** Shows the question that `confirm` asks; stands once, at the root. */
export function ConfirmHost() {
  const asked = useSyncExternalStore(confirmState.subscribe, confirmState.get)
  if (!asked) return null
  return (
    <Suspense>
      <ConfirmDialog question={asked.question} onAnswer={asked.answer} />
    </Suspense>
  )
}
