import { UserRole } from '@ordinator/model/areas/staff/role'
import { User } from '@ordinator/model/areas/staff/user'
import { hashPassword, isPassword, randomPassword, storePassword } from '../../auth/index.ts'
import { systemActor } from '../../records/actor.ts'
import type { AppContext } from '../../records/context.ts'
import { DEMO_PASSWORD, demoLogins } from './demoStaff.ts'
import { createStandardRoles } from './standardRoles.ts'

/** Any number: of several processes that start at once one makes the administrator. */
const LOCK = 7_236_004_821

/** In an empty database: the standard roles and `admin` with a random password, shown once. */
export async function firstStart(app: AppContext): Promise<void> {
  if (await app.db.one({ text: 'select 1 from users limit 1' })) return
  const password = randomPassword()
  const passwordHash = await hashPassword(password)
  const made = await app.engine.for(systemActor).tx(async (records, tx) => {
    await tx.query({ text: 'select pg_advisory_xact_lock($1)', values: [LOCK] })
    if (await tx.one({ text: 'select 1 from users limit 1' })) return false
    const roles = await createStandardRoles(records)
    const { id } = await records.create(User, { login: 'admin', name: 'Администратор' })
    await records.create(UserRole, { idUser: id, idRole: roles.admin })
    await storePassword(tx, id, passwordHash, true)
    return true
  })
  if (made) app.banner.push(`Первый вход: логин admin, пароль ${password} (показан один раз, смените его после входа)`)
}

/** Tells the demo sign-ins, as long as they are still the demo's. */
export async function tellDemoLogins(app: AppContext): Promise<void> {
  const admin = await app.db.one<{ passwordHash: string }>({
    text: `select s."passwordHash" from users u join user_secrets s on s."idUser" = u.id where u.login = 'admin' and not u.deleted`,
  })
  if (await isPassword(admin?.passwordHash, DEMO_PASSWORD)) {
    app.banner.push(`Демонстрационные входы: ${demoLogins.join(', ')}. Пароль у всех: ${DEMO_PASSWORD}`)
  }
}
