import { ValidationError } from '#platform/errors.ts'
import type { WriteContext } from '#records/define.ts'

/** Arbitrary lock id: serializes changes of administrators' rights. */
const LOCK = 7_236_004_820

/**
 * Call after a write that may remove the right to manage staff: at least one person who can sign in must keep it.
 * @throws ValidationError on the written field
 */
export async function keepAdmin({ tx, actor }: WriteContext, field: string): Promise<void> {
  if (actor.system) return
  await tx.query({ text: 'select pg_advisory_xact_lock($1)', values: [LOCK] })
  const left = await tx.one({
    name: 'admin-left',
    text: `select 1 from users u join user_secrets s on s."idUser" = u.id where not u.deleted and not u."isBlocked" and (
        exists (select 1 from user_permissions p where p."idUser" = u.id and p.permission = 'editUsers')
        or exists (select 1 from user_roles ur join roles r on r.id = ur."idRole"
          where ur."idUser" = u.id and 'editUsers' = any(r.permissions))
      ) limit 1`,
  })
  if (left) return
  const message = 'Нельзя: не останется ни одного действующего сотрудника с правом «Сотрудники, роли и права»'
  throw new ValidationError([{ field, message }])
}
