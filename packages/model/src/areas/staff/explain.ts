import {
  type Action,
  type Actor,
  type Allowed,
  allowed,
  type Gate,
  ownedRefusal,
  type Refusal,
  signedIn,
} from '../../access.ts'
import { type Permission, permissionLabel } from '../../permissions.ts'
import { type Module, moduleLabels, type Tariff, tariffLabels } from '../../tariff.ts'

/** What denies a page or an action to a user. `nobody`: only the server does it. */
export type Obstacle = Refusal | { reason: 'nobody' }

/** Why the actor may not do `action` with the entity; undefined if allowed. Ignores rules on single records. */
export function obstacle(
  actor: Actor,
  action: Action,
  entity: { path?: string; access: Partial<Record<Action, Allowed>>; gate?: Pick<Gate, 'tariff' | 'module'> },
): Obstacle | undefined {
  const closed = ownedRefusal(actor, entity)
  if (closed) return closed
  const by = action === 'export' ? (entity.access.export ?? entity.access.view) : entity.access[action]
  if (by === undefined) return { reason: 'nobody' }
  if (allowed(actor, by)) return undefined
  return { reason: 'permission', any: permissionsOf(by) }
}

export function permissionsOf(by: Allowed): readonly Permission[] {
  if (by === signedIn) return []
  return typeof by === 'string' ? [by as Permission] : by
}

/** The Russian sentence for an obstacle. */
export function obstacleText(found: Obstacle): string {
  switch (found.reason) {
    case 'tariff':
      return `Нужен тариф «${tariffLabels[found.tariff as Tariff]}»`
    case 'module':
      return `Не подключён модуль «${moduleLabels[found.module as Module]}»`
    case 'nobody':
      return 'Это делает только сама система'
    case 'permission': {
      const needed = found.missing ?? found.any ?? []
      const names = needed.map((name) => `«${permissionLabel(name)}»`)
      if (names.length === 1) return `Нет права ${names[0]}`
      return found.missing ? `Не хватает прав: ${names.join(', ')}` : `Нет ни одного из прав: ${names.join(', ')}`
    }
  }
}

/** Permissions that would grant it: all of them with `every`, otherwise any one. */
export function wantedPermissions(found: Obstacle): { names: readonly Permission[]; every: boolean } {
  if (found.reason !== 'permission') return { names: [], every: false }
  return found.missing ? { names: found.missing, every: true } : { names: found.any ?? [], every: false }
}

/** Actions on a record. */
export const actionLabels: Record<Action, string> = {
  view: 'Видеть',
  create: 'Создавать',
  update: 'Изменять',
  delete: 'Удалять',
  export: 'Выгружать',
}
