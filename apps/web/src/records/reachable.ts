import { type Actor, can } from '@ordinator/model/access'
import { entityAt } from '@ordinator/model/entities'
import { type Entity, relationOf } from '@ordinator/model/entity'

/** Of relations to expand, those to records that the person may see: for another the server refuses all that was asked. */
export const reachable = <X extends string>(actor: Actor, entity: Entity, names: readonly X[]): X[] =>
  names.filter((name) => {
    let from: Entity | undefined = entity
    for (const step of name.split('.')) {
      const relation: { to: string } | undefined = from && relationOf(from, step)
      if (!relation) return true
      from = entityAt(relation.to)
      if (from && !can(actor, 'view', from)) return false
    }
    return true
  })
