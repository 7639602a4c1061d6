import type { ScriptStep } from '@ordinator/model/areas/scripts/script'

/** Actions of the editor on steps; a stable object. */
export interface StepActs {
  select: (key: string) => void
  /** Adds a step at the end; returns its key. */
  add: (title?: string) => string | undefined
  change: (key: string, patch: Partial<ScriptStep>) => void
  remove: (key: string) => void
  copy: (key: string) => void
  /** Ids are positions from 1. */
  put: (id: number, place: { before?: number; after?: number }) => void
}
