import { UserPermission, UserRole } from '@ordinator/model/areas/staff/role'
import type { Permission } from '@ordinator/model/permissions'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError, errorMessage } from '#base/apiError.ts'
import { records } from '#base/client.ts'
import { notify } from '#kit/notify.tsx'
import { invalidateRecords } from '#records/keys.ts'

export const explainKey = (idUser: number) => ['staff', 'explain', idUser]

export type RightsChange =
  | { kind: 'role'; idRole: number; name: string; held: number | undefined }
  | { kind: 'permission'; permission: Permission; name: string; held: number | undefined }

/** Grants a role or permission, or revokes it if `held` is the granting record. Takes effect at once, with undo. */
export function useRightsChange(idUser: number) {
  const cache = useQueryClient()
  const settle = () => {
    for (const path of ['user-roles', 'user-permissions', 'roles', 'users']) void invalidateRecords(cache, path)
    void cache.invalidateQueries({ queryKey: explainKey(idUser) })
  }
  return useMutation({
    mutationFn: async (change: RightsChange): Promise<number | undefined> => {
      if (change.held !== undefined) {
        await records.remove(change.kind === 'role' ? UserRole : UserPermission, change.held)
        return undefined
      }
      const made =
        change.kind === 'role'
          ? await records.create(UserRole, { idUser, idRole: change.idRole })
          : await records.create(UserPermission, { idUser, permission: change.permission })
      return made.id
    },
    onSuccess: (made, change) =>
      notify.undo(textOf(change), async () => {
        try {
          const entity = change.kind === 'role' ? UserRole : UserPermission
          if (made !== undefined) await records.remove(entity, made)
          else if (change.kind === 'role') await records.create(UserRole, { idUser, idRole: change.idRole })
          else await records.create(UserPermission, { idUser, permission: change.permission })
        } catch (error) {
          failed(error)
        }
        settle()
      }),
    onError: failed,
    onSettled: settle,
  })
}

function textOf(change: RightsChange): string {
  if (change.kind === 'role') return change.held ? `Роль «${change.name}» снята` : `Роль «${change.name}» выдана`
  return change.held ? `Право «${change.name}» снято` : `Право «${change.name}» выдано`
}

/** Missing rights already have a toast. */
function failed(error: unknown): void {
  if (error instanceof ApiError && (error.status === 403 || error.status === 401)) return
  notify.error(errorMessage(error))
}
