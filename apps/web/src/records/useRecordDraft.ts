import type { Entity, Row } from '@ordinator/model/entity'
import { useEffect, useState, useSyncExternalStore } from 'react'
import type { DraftState, RecordDraft } from './recordDraft.ts'

/** The draft of an open record for as long as it is open; a window that is closed too early asks first. */
export function useRecordDraft<E extends Entity>(
  make: () => RecordDraft<E>,
  record: Row<E>,
): { draft: RecordDraft<E>; state: DraftState<E> } {
  const [draft] = useState(make)
  draft.follow(record)
  const state = useSyncExternalStore(draft.subscribe, draft.get)
  useEffect(() => () => draft.close(), [draft])
  useEffect(() => {
    const leave = (event: BeforeUnloadEvent) => {
      if (['typing', 'saving'].includes(draft.get().status)) event.preventDefault()
    }
    window.addEventListener('beforeunload', leave)
    return () => window.removeEventListener('beforeunload', leave)
  }, [draft])
  return { draft, state }
}
