import { useSyncExternalStore } from 'react'
import { proofState } from '#base/proof.ts'
import { part } from '#kit/chunk.ts'

const ProofDialog = part(() => import('./ProofDialog.tsx'))

/** Renders the dialog of `askProof`; used once, at the root. */
export function ProofHost() {
  const answer = useSyncExternalStore(proofState.subscribe, proofState.get)
  return answer ? <ProofDialog onAnswer={answer} /> : null
}
