import { isDeskRole, Role, UserPermission, UserRole } from '@ordinator/model/areas/staff/role'
import { Desk } from '@ordinator/model/areas/visits/visit'
import type { Permission } from '@ordinator/model/permissions'
import sql from 'sql-template-tag'
import { signal } from '#auth/index.ts'
import type { Tx } from '#platform/db.ts'
import { count, records } from '#records/define.ts'
import type { Records } from '#records/records.ts'
import { keepAdmin } from './lastAdmin.ts'

const holdersOf = (tx: Tx, idRole: number) =>
  tx.query<{ id: number; idUser: number }>({
    text: 'select id, "idUser" from user_roles where "idRole" = $1',
    values: [idRole],
  })

export const roles = records(Role, {
  computed: {
    usersCount: count('users', {
      whoever: true,
      where: ({ row }) => sql`exists (select 1 from users u where u."id" = ${row}."idUser" and not u."deleted")`,
    }),
  },
  hooks: {
    async afterUpdate(context, row, before) {
      const gone = before.permissions.includes('editUsers') && !row.permissions.includes('editUsers')
      if (gone) await keepAdmin(context, 'permissions')
      if (row.permissions.join() !== before.permissions.join() || row.requiresFactor !== before.requiresFactor) {
        await signal(context.tx, { users: (await holdersOf(context.tx, row.id)).map((holder) => holder.idUser) })
      }
    },
    async beforeDelete({ tx, records: inner }, row) {
      // One by one, so that each removed role is in the history and its event reaches the clients.
      for (const { id } of await holdersOf(tx, row.id)) await inner.remove(UserRole, id)
    },
  },
})

export const userRoles = records(UserRole, {
  hooks: {
    async afterCreate({ tx, records: inner }, row) {
      await seatAtDesk(inner, tx, row)
      await signal(tx, { users: [row.idUser] })
    },
    async afterDelete(context, row) {
      await keepAdmin(context, 'idRole')
      await signal(context.tx, { users: [row.idUser] })
    },
  },
})

/**
 * Puts the holder of a desk role at the desk of the branches of the card, or of the only branch: without a desk the role
 * shows nothing. Who has a desk already stays there.
 */
async function seatAtDesk(
  inner: Records,
  tx: Tx,
  { idUser, idRole }: { idUser: number; idRole: number },
): Promise<void> {
  const role = await tx.one<{ permissions: Permission[] }>(sql`select "permissions" from roles where "id" = ${idRole}`)
  if (!role || !isDeskRole(role.permissions)) return
  const branches = await tx.query<{ id: number }>(sql`
    select f."id"::int as id from filials f join users u on u."id" = ${idUser}
    where f."active" and not f."deleted" and (f."id" = any (u."filials")
        or (coalesce(cardinality(u."filials"), 0) = 0 and (select count(*) from filials o where o."active" and not o."deleted") = 1))
      and not exists (select 1 from filials_desks d where d."idUser" = ${idUser} and not d."deleted")
    order by f."id"`)
  for (const { id: idFilial } of branches) await inner.asSystem.create(Desk, { idFilial, idUser })
}

export const userPermissions = records(UserPermission, {
  hooks: {
    afterCreate: ({ tx }, row) => signal(tx, { users: [row.idUser] }),
    async afterDelete(context, row) {
      if (row.permission === 'editUsers') await keepAdmin(context, 'permission')
      await signal(context.tx, { users: [row.idUser] })
    },
  },
})
