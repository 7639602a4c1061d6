import type { ScriptStep } from '@ordinator/model/areas/scripts/script'

/** What the parts of the editor do to the steps; the same object for as long as the editor is open. */
export interface StepActs {
  select: (key: string) => void
  /** A new step at the end; its key. */
  add: (title?: string) => string | undefined
  change: (key: string, patch: Partial<ScriptStep>) => void
  remove: (key: string) => void
  copy: (key: string) => void
  /** Ids are places in the list, from 1. */
  put: (id: number, place: { before?: number; after?: number }) => void
}
