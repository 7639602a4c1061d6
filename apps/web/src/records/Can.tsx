import { type Action, can } from '@ordinator/model/access'
import type { Entity } from '@ordinator/model/entity'
import type { ReactNode } from 'react'
import { useActor } from '#base/session.ts'

/** Whether the signed-in user may do this. The web only hides by it; the server enforces. */
export function useCan(action: Action, entity: Entity, record?: unknown, context?: unknown): boolean {
  return can(useActor(), action, entity, record, context)
}

interface Props {
  action: Action
  entity: Entity
  record?: unknown
  /** Extra input of the entity's rule. */
  context?: unknown
  fallback?: ReactNode
  children: ReactNode
}

/** Renders its children only for users who may: `<Can action="delete" entity={Task} record={task}>…</Can>`. */
export function Can({ action, entity, record, context, fallback = null, children }: Props) {
  return useCan(action, entity, record, context) ? children : fallback
}
