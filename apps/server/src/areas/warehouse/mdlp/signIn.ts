/** Sign-in to МДЛП: a code, its signature or the password, a token for minutes that all processes share. */
import sql from 'sql-template-tag'
import { clinicTestSignature } from '#areas/signatures/index.ts'
import { AdapterFault } from '#platform/adapter.ts'
import type { Answered } from '#platform/outbound.ts'
import type { Remote } from '#platform/remote.ts'
import type { TokenStore } from '#platform/session.ts'
import type { AppContext } from '#records/context.ts'
import { read, requestOf } from './answer.ts'
import { SignInNeeded } from './client.ts'

/** Seconds before the end of a token at which it is renewed. */
const EARLY_S = 60
const TOKEN_MINUTES = 30

/** Tokens in the database. @param name the account, as a hash */
export function tokenStore(app: AppContext, name: string): TokenStore & { until(): Promise<string> } {
  return {
    read: async () =>
      (
        await app.db.one<{ token: string }>(sql`select "token" from mdlp_sessions
          where "key" = ${name} and "dateUntil" > now() + make_interval(secs => ${EARLY_S})`)
      )?.token,
    async keep(token, seconds) {
      await app.db.query(sql`insert into mdlp_sessions ("key", "token", "dateUntil")
        values (${name}, ${token}, now() + make_interval(secs => ${seconds}))
        on conflict ("key") do update set "token" = excluded."token", "dateUntil" = excluded."dateUntil"`)
    },
    async drop(token) {
      await app.db.query(sql`delete from mdlp_sessions where "key" = ${name} and "token" = ${token}`)
    },
    until: async () =>
      (
        await app.db.one<{ until: string }>(
          sql`select to_json("dateUntil") #>> '{}' as until from mdlp_sessions where "key" = ${name}`,
        )
      )?.until ?? '',
  }
}

interface Account {
  clientId: string
  user: string
  secret: string
  /** Empty: the code is signed. */
  password: string
}

export function signInOf(app: AppContext, wire: Remote, { clientId, user, secret, password }: Account) {
  const signing = (path: string, body: unknown): Promise<Answered> =>
    wire.quietly({ ...requestOf('POST', path, body), isSignIn: true })

  async function code(): Promise<string> {
    const answer = await signing('/auth', {
      client_id: clientId,
      client_secret: secret,
      user_id: user,
      auth_type: password ? 'PASSWORD' : 'SIGNED_CODE',
    })
    const { code: given } = read(answer) as { code?: string }
    if (!given) throw new AdapterFault('МДЛП не даёт кода входа')
    return given
  }

  async function grantOf(by: { code: string } & ({ signature: string } | { password: string })) {
    const { token, life_time } = read(await signing('/token', by)) as { token?: string; life_time?: number }
    if (!token) throw new AdapterFault('МДЛП не пускает: проверьте client_id, client_secret и пользователя')
    return { token, seconds: (life_time ?? TOKEN_MINUTES) * 60 }
  }

  async function byItself() {
    if (password) return grantOf({ code: await code(), password })
    const isSimulated = (await clinicTestSignature(app, Buffer.from(''))) !== undefined
    if (!isSimulated) throw new SignInNeeded()
    const given = await code()
    const signature = (await clinicTestSignature(app, Buffer.from(given))) as Buffer
    return grantOf({ code: given, signature: signature.toString('base64') })
  }

  return { code, grantOf, byItself }
}
