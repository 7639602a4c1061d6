/** Scope of warehouses: their responsible employee and users; a warehouse without any is open to all. */

import { holds } from '@ordinator/model/access'
import type { Permission } from '@ordinator/model/permissions'
import sql, { type Sql } from 'sql-template-tag'
import type { Queryable } from '#platform/db.ts'
import { forbidden } from '#platform/errors.ts'
import type { ServerActor } from '#records/actor.ts'
import { inOwnBranch, isLimited } from '#records/branches.ts'
import type { Scope } from '#records/define.ts'

const unless = 'viewAllWarehouses' satisfies Permission

/** SQL condition: the warehouse of this id is the user's. */
export const isMine = (idWarehouse: Sql, me: Sql): Sql => sql`exists (select 1 from warehouses mine
  where mine."id" = ${idWarehouse} and ((mine."idUser" is null and mine."keepers" = '{}')
    or mine."idUser" = ${me} or ${me} = any (mine."keepers")))`

/** Scope of rows with a warehouse. */
export const byWarehouse: Scope = {
  unless,
  view: ({ row, me }) => isMine(sql`${row}."idWarehouse"`, me),
}

/** Scope of documents: either of their warehouses; without one the author's. */
export const byEither: Scope = {
  unless,
  view: ({ row, me }) => sql`(${isMine(sql`${row}."idFrom"`, me)} or ${isMine(sql`${row}."idTo"`, me)}
    or (${row}."idFrom" is null and ${row}."idTo" is null and ${row}."idAuthor" = ${me}))`,
}

/** SQL condition for a call's own statements: rows of this warehouse are in the actor's scope. */
export const visibleTo = (actor: ServerActor, idWarehouse: Sql): Sql => {
  const mine = actor.system || holds(actor, unless) ? sql`true` : isMine(idWarehouse, sql`${actor.id}::bigint`)
  return isLimited(actor) ? sql`(${mine} and ${atOwnBranch(actor, idWarehouse)})` : mine
}

const atOwnBranch = (actor: ServerActor, idWarehouse: Sql): Sql => sql`exists (select 1 from warehouses local
  where local."id" = ${idWarehouse} and ${inOwnBranch(actor, sql`local."idFilial"`)})`

/** @throws HttpError 403 if one of these warehouses is outside the actor's scope */
export async function assertMine(db: Queryable, actor: ServerActor, ids: readonly (number | null)[]): Promise<void> {
  const asked = ids.filter((id) => id !== null)
  if (actor.system || (holds(actor, unless) && !isLimited(actor)) || asked.length === 0) return
  const strange = await db.one<{ name: string }>(sql`select w."name" from warehouses w
    where w."id" = any (${asked}::bigint[]) and not ${visibleTo(actor, sql`w."id"`)} limit 1`)
  if (strange) throw forbidden(`Вы не работаете со складом «${strange.name}»`)
}
