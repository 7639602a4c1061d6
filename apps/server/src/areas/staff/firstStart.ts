import { UserRole } from '@ordinator/model/areas/staff/role'
import { User } from '@ordinator/model/areas/staff/user'
import { hashPassword, isPassword, randomPassword, storePassword } from '#auth/index.ts'
import { isLoopback } from '#platform/address.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { DEMO_PASSWORD, demoLogins } from './demoStaff.ts'
import { createStandardRoles } from './standardRoles.ts'

/** Arbitrary lock id: of several processes that start at once one creates the administrator. */
const LOCK = 7_236_004_821

/**
 * Initializes an empty database: the standard roles, initial records of the areas, and `admin`, who gets a password
 * once the server listens.
 */
export async function firstStart(app: AppContext): Promise<void> {
  if (await app.db.one({ text: 'select 1 from users limit 1' })) return
  await app.engine.for(systemActor).tx(async (records, tx) => {
    await tx.query({ text: 'select pg_advisory_xact_lock($1)', values: [LOCK] })
    if (await tx.one({ text: 'select 1 from users limit 1' })) return
    const roles = await createStandardRoles(records)
    const { id } = await records.create(User, { login: 'admin', name: 'Администратор' })
    await records.create(UserRole, { idUser: id, idRole: roles.admin })
    if (app.config.ready) for (const { ready } of app.areas) await ready?.(records, tx, id)
  })
}

/**
 * Generates and shows the first administrator's password once, after the start has succeeded, so that a busy port or a
 * kill before loses nothing. Sign-in is impossible without it.
 */
export async function printFirstPassword(app: AppContext): Promise<void> {
  const password = randomPassword()
  const waiting = `select u.id from users u where u.login = 'admin' and not u.deleted
    and not exists (select 1 from user_secrets)`
  if (!(await app.db.one({ text: waiting }))) return
  const passwordHash = await hashPassword(password)
  const set = await app.db.tx(async (tx) => {
    await tx.query({ text: 'select pg_advisory_xact_lock($1)', values: [LOCK] })
    const admin = await tx.one<{ id: number }>({ text: waiting })
    if (admin) await storePassword(tx, admin.id, passwordHash, true)
    return admin !== undefined
  })
  if (set) app.banner.push(`Первый вход: логин admin, пароль ${password} (показан один раз, смените его после входа)`)
}

/** Prints the demo sign-ins while they are unchanged, with a warning when the server is reachable from a network. */
export async function printDemoLogins(app: AppContext): Promise<void> {
  const { demo, host } = app.config
  if (!demo && isLoopback(host)) return
  const admin = await app.db.one<{ passwordHash: string }>({
    text: `select s."passwordHash" from users u join user_secrets s on s."idUser" = u.id where u.login = 'admin' and not u.deleted`,
  })
  if (!admin || !(await isPassword(admin.passwordHash, DEMO_PASSWORD))) return
  if (demo) app.banner.push(`Демонстрационные входы: ${demoLogins.join(', ')}. Пароль у всех: ${DEMO_PASSWORD}`)
  if (isLoopback(host)) return
  app.log.warn({ host }, 'the demo clinic, whose passwords everybody knows, is open to the network')
  app.banner.push(
    `ВНИМАНИЕ: HOST=${host} открывает демонстрационную клинику всей сети, а пароли её сотрудников известны каждому. ` +
      'Для работы запустите с DEMO=0 на пустой базе; для показа уберите HOST.',
  )
}
