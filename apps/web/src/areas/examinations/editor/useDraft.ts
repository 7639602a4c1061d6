import type { ReadyForm } from '@ordinator/model/areas/examinations/form'
import { createContext, use, useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { ExaminationDraft, type ExaminationRow, type SaveStatus } from './draft.ts'

/** Draft of an open examination, during its lifetime. @param row the newest from the server */
export function useExaminationDraft(
  row: ExaminationRow,
  ready: ReadyForm,
  handlers: ConstructorParameters<typeof ExaminationDraft>[2],
): ExaminationDraft {
  const [draft] = useState(() => new ExaminationDraft(row, ready, handlers))
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

/** Content of a part, with its setter. */
export function usePart<T>(part: string): { value: T; set: (value: T | null) => void; error: string | undefined } {
  const draft = useOpenDraft()
  const subscribe = useCallback((listener: () => void) => draft.subscribe(part, listener), [draft, part])
  const value = useSyncExternalStore(subscribe, () => draft.get(part)) as T
  const error = useSyncExternalStore(subscribe, () => draft.error(part))
  const set = useCallback((next: T | null) => draft.set(part, next), [draft, part])
  return { value, set, error }
}

/** True while a field is visible. */
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
