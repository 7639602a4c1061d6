/** The API of МДЛП: a code, a token valid for minutes, documents (sections 5 and 6 of its description). */
import { createHash } from 'node:crypto'
import { readCommonSettings, secretOf } from '#areas/settings/index.ts'
import type { Answered } from '#platform/outbound.ts'
import { remote } from '#platform/remote.ts'
import { SignInRefused, session } from '#platform/session.ts'
import type { AppContext } from '#records/context.ts'
import { requestOf } from './answer.ts'
import { type Mdlp, MdlpRefusal } from './client.ts'
import { documentsOf } from './documentCalls.ts'
import { signInOf, tokenStore } from './signIn.ts'

const TIMEOUT = 15_000
const MAX_ANSWER = 32 * 1024 * 1024

/** The client configured by the settings; undefined if disabled or without an address. */
export async function mdlpOf(app: AppContext): Promise<Mdlp | undefined> {
  const { mdlpMode, mdlpAddress, mdlpClientId, mdlpUser } = await readCommonSettings(app.db)
  const base = (mdlpAddress || app.config.mdlpUrl)?.replace(/\/+$/, '')
  if (mdlpMode === 'off' || !base) return undefined
  const [secret = '', password = ''] = await Promise.all([
    secretOf(app.db, 'mdlpSecret'),
    secretOf(app.db, 'mdlpPassword'),
  ])
  const wire = remote(app, {
    adapter: 'mdlp',
    url: base,
    timeout: TIMEOUT,
    maxAnswer: MAX_ANSWER,
    ...(mdlpAddress === '' && { isOwn: true }),
  })
  const name = createHash('sha256').update(`${base}\n${mdlpClientId}\n${secret}\n${mdlpUser}`).digest('hex')

  const store = tokenStore(app, name)
  const signIn = signInOf(app, wire, { clientId: mdlpClientId, user: mdlpUser, secret, password })
  const signed = session(wire, {
    key: [name, password],
    store,
    headers: (token) => ({ authorization: `token ${token}` }),
    taken: 'МДЛП не принимает вход: учётной записью, видимо, пользуется ещё одна система',
    // A refused sign-in is no result for the document that needed it.
    signIn: () =>
      signIn.byItself().catch((error: unknown) => {
        throw error instanceof MdlpRefusal ? new SignInRefused(`МДЛП не пускает: ${error.message}`) : error
      }),
  })

  const ask = (method: 'GET' | 'POST', path: string, body?: unknown): Promise<Answered> =>
    signed.quietly(requestOf(method, path, body))
  return {
    ...documentsOf(ask, base),
    code: signIn.code,
    async signIn(given, signature) {
      const { token, seconds } = await signIn.grantOf({ code: given, signature })
      await store.keep(token, seconds)
      return store.until()
    },
    check: () => signed.renew(),
  }
}
