import { Role, UserPermission, UserRole } from '@ordinator/model/areas/staff/role'
import sql from 'sql-template-tag'
import { signal } from '#auth/index.ts'
import type { Tx } from '#platform/db.ts'
import { count, records } from '#records/define.ts'
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
    afterCreate: ({ tx }, row) => signal(tx, { users: [row.idUser] }),
    async afterDelete(context, row) {
      await keepAdmin(context, 'idRole')
      await signal(context.tx, { users: [row.idUser] })
    },
  },
})

export const userPermissions = records(UserPermission, {
  hooks: {
    afterCreate: ({ tx }, row) => signal(tx, { users: [row.idUser] }),
    async afterDelete(context, row) {
      if (row.permission === 'editUsers') await keepAdmin(context, 'permission')
      await signal(context.tx, { users: [row.idUser] })
    },
  },
})
