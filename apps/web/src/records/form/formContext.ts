import type { Actor } from '@ordinator/model/access'
import type { Entity } from '@ordinator/model/entity'
import { createContext, useContext } from 'react'
import type { AnyRow } from '../fields/ui.ts'

interface FormContext {
  entity: Entity
  actor: Actor
  /** undefined in a form for a new record. */
  record: AnyRow | undefined
  readOnly: boolean
  /** Names of the fields in the form. */
  shown: Set<string>
  /** Sets the initial value of a field once it is known. */
  begin: (name: string, value: unknown) => void
}

export const RecordFormContext = createContext<FormContext | null>(null)

export function useRecordForm(): FormContext {
  const context = useContext(RecordFormContext)
  if (!context) throw new Error('RecordField must stand inside RecordForm')
  return context
}
