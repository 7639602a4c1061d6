/** Grants new permissions after an upgrade to those who had all before. */
import { Role, UserPermission } from '@ordinator/model/areas/staff/role'
import { permissionLabel, permissionNames } from '@ordinator/model/permissions'
import sql from 'sql-template-tag'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'

/** Arbitrary lock id: of several processes that start at once one grants. */
const LOCK = 7_236_004_822

/**
 * Grants permissions added since the last start to the roles that had all until then, and to people who had all by any
 * way; reports it at the start and in the log. In a database without a record of the last start, «all» means every
 * permission held by anyone.
 */
export async function grantNewPermissions(app: AppContext): Promise<void> {
  const granted = await app.engine.for(systemActor).tx(async (records, tx) => {
    await tx.query({ text: 'select pg_advisory_xact_lock($1)', values: [LOCK] })
    const known = (await tx.query<{ name: string }>(sql`select "name" from known_permissions`)).map(({ name }) => name)
    const fresh = permissionNames.filter((name) => !known.includes(name))
    if (fresh.length === 0) return undefined
    await tx.query(sql`insert into known_permissions ("name") select unnest(${fresh}::text[])`)
    const held = await tx.query<{ name: string }>(sql`
      select distinct unnest("permissions") as "name" from roles union select "permission" from user_permissions`)
    const all = (known.length ? known : held.map(({ name }) => name)).filter((name) =>
      (permissionNames as readonly string[]).includes(name),
    )
    if (all.length === 0) return undefined
    const to: string[] = []
    const roles = await tx.query<{ id: number; name: string; permissions: string[] }>(
      sql`select "id", "name", "permissions" from roles where "permissions" @> ${all}::text[] order by "id"`,
    )
    for (const { id, name, permissions } of roles) {
      const lacking = fresh.filter((one) => !permissions.includes(one))
      if (lacking.length === 0) continue
      await records.asSystem.update(Role, id, {
        permissions: [...permissions, ...lacking] as (typeof permissionNames)[number][],
      })
      to.push(`роль «${name}»`)
    }
    const people = await tx.query<{ id: number; login: string; permissions: string[] }>(sql`
      select u."id", u."login", h.permissions from users u, lateral (select array(
        select unnest(r."permissions") from roles r join user_roles ur on ur."idRole" = r."id" where ur."idUser" = u."id"
        union select p."permission" from user_permissions p where p."idUser" = u."id"
      ) as permissions) h where not u."deleted" and h.permissions @> ${all}::text[] order by u."id"`)
    for (const { id, login, permissions } of people) {
      const lacking = fresh.filter((one) => !permissions.includes(one))
      for (const permission of lacking)
        await records.asSystem.create(UserPermission, { idUser: id, permission, reason: 'Добавлено обновлением' })
      if (lacking.length) to.push(login)
    }
    return to.length ? { fresh, to } : undefined
  })
  if (!granted) return
  const rights = granted.fresh.map((name) => `«${permissionLabel(name)}»`).join(', ')
  app.log.warn({ permissions: granted.fresh, to: granted.to }, 'an upgrade has granted new permissions')
  app.banner.push(`Обновление добавило права: ${rights}. Их получили те, у кого были все: ${granted.to.join(', ')}`)
}
