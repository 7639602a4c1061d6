/** `npm run admin [LOGIN]`: sets a new password for a user, such as an administrator who has lost theirs. */
import { endSessions, hashPassword, randomPassword, storePassword } from '#auth/index.ts'
import { ConfigError } from '#platform/config.ts'
import type { Db } from '#platform/db.ts'

/**
 * Sets a random temporary password and ends the person's sessions, in running servers too.
 * @returns the password
 * @throws ConfigError when the login is unknown
 */
export async function newPassword(db: Db, login: string): Promise<string> {
  const password = randomPassword()
  const hash = await hashPassword(password)
  await db.tx(async (tx) => {
    const user = await tx.one<{ id: number }>({
      text: 'select id from users where lower(login) = lower($1) and not deleted',
      values: [login],
    })
    if (!user) throw new ConfigError(`Сотрудника с логином ${login} нет.`)
    await storePassword(tx, user.id, hash, true)
    await endSessions(tx, user.id, 'password')
  })
  return password
}
