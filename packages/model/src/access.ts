import type { Permission } from './permissions.ts'
import { gateOf, type Module, type Tariff, tariffIncludes } from './tariff.ts'

/** The signed-in user, as known to the server and sent to the web. */
export interface Actor {
  id: number
  permissions: Partial<Record<Permission, true>>
  tariff?: Tariff
  modules?: readonly Module[]
  /** Ids of the only branches whose records the user sees; absent: no limit. */
  onlyFilials?: readonly number[]
}

export type Action = 'view' | 'create' | 'update' | 'delete' | 'export'

/** Any signed-in user. */
export const signedIn = 'signed-in'

/** Permissions of which any one suffices. Absent: nobody except system code. */
export type Allowed = typeof signedIn | Permission | readonly Permission[]

/** Conditions for a page, an entity or an operation. All given parts must hold. */
export interface Gate {
  any?: readonly Permission[]
  every?: readonly Permission[]
  tariff?: Tariff
  module?: Module
}

/** Reason why a gate is closed, for the explanation; undefined when it is open. */
export type Refusal =
  | { reason: 'permission'; any?: readonly Permission[]; missing?: readonly Permission[] }
  | { reason: 'tariff'; tariff: Tariff }
  | { reason: 'module'; module: Module }

export const holds = (actor: Actor, permission: Permission): boolean => actor.permissions[permission] === true

export function allowed(actor: Actor, by: Allowed | undefined): boolean {
  if (by === undefined) return false
  if (by === signedIn) return true
  return typeof by === 'string' ? holds(actor, by as Permission) : by.some((permission) => holds(actor, permission))
}

/** The first reason that excludes the actor, tariff and module before permissions. */
export function refusal(actor: Actor, gate: Gate): Refusal | undefined {
  if (gate.tariff && !tariffIncludes(actor.tariff, gate.tariff)) return { reason: 'tariff', tariff: gate.tariff }
  if (gate.module && !actor.modules?.includes(gate.module)) return { reason: 'module', module: gate.module }
  if (gate.any?.length && !gate.any.some((p) => holds(actor, p))) return { reason: 'permission', any: gate.any }
  const missing = gate.every?.filter((p) => !holds(actor, p)) ?? []
  return missing.length ? { reason: 'permission', missing } : undefined
}

/** The missing tariff or module for an entity or a page, by its path and its own declaration. */
export const ownedRefusal = (
  actor: Actor,
  { path, gate }: { path?: string; gate?: Pick<Gate, 'tariff' | 'module'> },
): Refusal | undefined => refusal(actor, { ...(path === undefined ? {} : gateOf(path)), ...gate })

interface Guarded {
  path?: string
  access: Partial<Record<Action, Allowed>>
  gate?: Pick<Gate, 'tariff' | 'module'>
  rule?: (actor: Actor, action: Action, record: never, context?: never) => boolean
}

/**
 * The single decision on rights: whether `actor` may do `action` with `entity`, and with this `record` if given. The web
 * hides by it; the server has the same rule as SQL (the row scope), and a property test compares them.
 * @param context extra input of the entity's own rule (for tasks: the actor's membership)
 */
export function can<E extends Guarded>(
  actor: Actor,
  action: Action,
  entity: E,
  record?: unknown,
  context?: unknown,
): boolean {
  if (ownedRefusal(actor, entity)) return false
  const by = action === 'export' ? (entity.access.export ?? entity.access.view) : entity.access[action]
  if (!allowed(actor, by)) return false
  const rule = entity.rule as ((a: Actor, x: Action, r: unknown, c?: unknown) => boolean) | undefined
  return record === undefined || !rule || rule(actor, action, record, context)
}
