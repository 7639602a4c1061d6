import sql from 'sql-template-tag'
import type { Queryable } from '#platform/db.ts'

/** The organization that sells a branch's services: that of its cash desk, else the first own one. */
export async function organizationOf(tx: Queryable, idFilial: number): Promise<number | undefined> {
  const found = await tx.one<{ id: number }>(sql`select o."id" from organizations o
    left join cash_desks d on d."idOrganization" = o."id" and d."idFilial" = ${idFilial} and d."active" and not d."deleted"
    where o."kind" = 'own' and not o."deleted" order by d."id" nulls last, o."id" limit 1`)
  return found?.id
}
