import { useMemo } from 'react'
import { useActor } from '#base/session.ts'
import { rightsOf, type ScheduleRights } from './rightsOf.ts'

export function useScheduleRights(): ScheduleRights {
  const actor = useActor()
  return useMemo(() => rightsOf(actor), [actor])
}
