import { hash } from '@node-rs/argon2'
import { UserPermission } from '@ordinator/model/areas/staff/role'
import { User } from '@ordinator/model/areas/staff/user'
import type { Create, Row } from '@ordinator/model/entity'
import type { Permission } from '@ordinator/model/permissions'
import { storePassword } from '#auth/index.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'

/** Used by the harness: `clinic.as(login)` signs in with it. */
const PASSWORD = 'demo'
/** The cost of a sign-in is that of the stored hash: a thousandth of a real one. */
const CHEAP = { memoryCost: 8, timeCost: 1, parallelism: 1 }
let hashed: Promise<string> | undefined

/** For tests: a user who can sign in, with these permissions. */
export async function addPerson(
  app: AppContext,
  login: string,
  permissions: readonly Permission[] = [],
  more: Partial<Create<typeof User>> = {},
): Promise<Row<typeof User>> {
  hashed ??= hash(PASSWORD, CHEAP)
  const passwordHash = await hashed
  return app.engine.for(systemActor).tx(async (records, tx) => {
    const user = await records.create(User, { surname: login, name: 'Тест', ...more, login })
    for (const permission of permissions) await records.create(UserPermission, { idUser: user.id, permission })
    await storePassword(tx, user.id, passwordHash, false)
    return user
  })
}
