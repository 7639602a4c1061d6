import { useSyncExternalStore } from 'react'
import { part } from '#kit/chunk.ts'
import { confirmState } from '#kit/confirm.ts'

const ConfirmDialog = part(() => import('#kit/ConfirmDialog.tsx'))

/** Renders the question of `confirm`; used once, at the root. */
export function ConfirmHost() {
  const asked = useSyncExternalStore(confirmState.subscribe, confirmState.get)
  if (!asked) return null
  return <ConfirmDialog question={asked.question} onAnswer={asked.answer} />
}
