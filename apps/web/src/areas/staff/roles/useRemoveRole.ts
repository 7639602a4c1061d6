import { Role, UserRole } from '@ordinator/model/areas/staff/role'
import type { Row } from '@ordinator/model/entity'
import { wordsOf } from '@ordinator/model/registry'
import { useQueryClient } from '@tanstack/react-query'
import { records } from '#base/client.ts'
import { notify } from '#kit/notify.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { notifyFailure } from '#records/notifyFailure.ts'

export const MAX_HOLDERS = 500

/** Deletes a role; undo restores it with its users. */
export function useRemoveRole() {
  const cache = useQueryClient()
  const settle = () => {
    for (const path of ['roles', 'user-roles', 'users']) void invalidateRecords(cache, path)
  }
  const restore = async ({ name, description, permissions }: Row<typeof Role>, people: number[]) => {
    try {
      const { id: idRole } = await records.create(Role, { name, description, permissions })
      if (people.length) await records.batch(UserRole, { create: people.map((idUser) => ({ idUser, idRole })) })
    } catch (error) {
      notifyFailure(error)
    }
    settle()
  }
  return async (role: Row<typeof Role>): Promise<void> => {
    try {
      const { items } = await records.list(UserRole, { filter: { idRole: role.id }, limit: MAX_HOLDERS })
      await records.remove(Role, role.id)
      const people = items.map(({ idUser }) => idUser)
      notify.undo(wordsOf(Role).removed(role.name), () => restore(role, people))
    } catch (error) {
      notifyFailure(error)
      throw error
    } finally {
      settle()
    }
  }
}
