import { type Action, can } from '@ordinator/model/access'
import type { Entity } from '@ordinator/model/entity'
import type { ReactNode } from 'react'
import { useActor } from '../base/session.ts'

/** Whether the signed-in user may do this. The web only hides by it; the server decides. */
export function useCan(action: Action, entity: Entity, record?: unknown, context?: unknown): boolean {
  return can(useActor(), action, entity, record, context)
}

interface Props {
  action: Action
  entity: Entity
  record?: unknown
  /** What the entity's rule needs besides the record. */
  context?: unknown
  fallback?: ReactNode
  children: ReactNode
}

/** Shows its children to those who may: `<Can action="delete" entity={Task} record={task}>…</Can>`. */
export function Can({ action, entity, record, context, fallback = null, children }: Props) {
  return useCan(action, entity, record, context) ? children : fallback
}
