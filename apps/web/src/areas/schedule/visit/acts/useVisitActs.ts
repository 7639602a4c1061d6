import { useMoveVisit } from './useMoveVisit.ts'
import { useVisitStatus } from './useVisitStatus.tsx'

export type VisitActs = ReturnType<typeof useVisitActs>

/** Moves visits and changes their statuses. */
export function useVisitActs() {
  return { ...useMoveVisit(), ...useVisitStatus() }
}
