import type { ReadyForm } from '@ordinator/model/areas/examinations/form'
import { createContext, use, useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { ExaminationDraft, type ExaminationRow, type SaveStatus } from './draft.ts'

/** The draft of an open examination for as long as it is open. @param row the newest that the server has told */
export function useExaminationDraft(
  row: ExaminationRow,
  ready: ReadyForm,
  told: ConstructorParameters<typeof ExaminationDraft>[2],
): ExaminationDraft {
  const [draft] = useState(() => new ExaminationDraft(row, ready, told))
  useEffect(() => draft.follow(row), [draft, row])
  useEffect(() => () => draft.close(), [draft])
  useEffect(() => {
    const leave = (event: BeforeUnloadEvent) => {
      if (draft.hasChanges()) event.preventDefault()
    }
    window.addEventListener('beforeunload', leave)
    return () => window.removeEventListener('beforeunload', leave)
  }, [draft])
  return draft
}

export const DraftContext = createContext<ExaminationDraft | undefined>(undefined)

export function useOpenDraft(): ExaminationDraft {
  const draft = use(DraftContext)
  if (!draft) throw new Error('no examination is open here')
  return draft
}

/** What stands in a part, and how to write into it. */
export function usePart<T>(part: string): { value: T; set: (value: T | null) => void; error: string | undefined } {
  const draft = useOpenDraft()
  const subscribe = useCallback((listener: () => void) => draft.subscribe(part, listener), [draft, part])
  const value = useSyncExternalStore(subscribe, () => draft.get(part)) as T
  const error = useSyncExternalStore(subscribe, () => draft.error(part))
  const set = useCallback((next: T | null) => draft.set(part, next), [draft, part])
  return { value, set, error }
}

/** Whether a field is shown. */
export function useShown(key: string): boolean {
  const draft = useOpenDraft()
  const subscribe = useCallback((listener: () => void) => draft.subscribe(`=${key}`, listener), [draft, key])
  return !useSyncExternalStore(subscribe, () => draft.isHidden(key))
}

export function useCalculated(key: string) {
  const draft = useOpenDraft()
  const subscribe = useCallback((listener: () => void) => draft.subscribe(`=${key}`, listener), [draft, key])
  return useSyncExternalStore(subscribe, () => draft.calculated(key))
}

export function useSaveStatus(draft: ExaminationDraft): SaveStatus {
  const subscribe = useCallback((listener: () => void) => draft.subscribe('*', listener), [draft])
  return useSyncExternalStore(subscribe, draft.status)
}
