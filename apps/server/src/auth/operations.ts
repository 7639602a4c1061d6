import { authCalls } from '@ordinator/model/areas/auth/calls'
import { loginOf, User } from '@ordinator/model/areas/staff/user'
import type { FastifyRequest } from 'fastify'
import { isWithin } from '#platform/address.ts'
import { forbidden, HttpError, notFound, tooMany, unauthorized, ValidationError } from '#platform/errors.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { type JournalEntry, journal, journalActor } from '#records/journal.ts'
import { operation } from '#records/operation.ts'
import { actorOfUser } from './actors.ts'
import { askPasskey, factorsOf, takeCode, takePasskey } from './factors.ts'
import { hashPassword, isPassword, passwordFault, storePassword } from './passwords.ts'
import { type Policy, readPolicy } from './policy.ts'
import { authOf } from './registerAuth.ts'
import {
  endSession,
  endSessions,
  hasOtherSession,
  markActive,
  type Opened,
  openSession,
  openSessionsOf,
  ownSession,
  refreshSession,
} from './sessions.ts'
import { signal } from './signals.ts'
import { type Attempt, forgiveAttempt, rememberDevice, takeAttempt, waitText } from './throttle.ts'
import { readRefresh } from './tokens.ts'

interface Account {
  id: number
  isBlocked: boolean
  passwordHash: string | null
}

const signIn = operation(authCalls.signIn, async ({ app, body, request, reply }) => {
  const auth = authOf(app)
  const from = { ip: request.ip, requestId: request.id, entityType: 'auth' }
  const attempt = await takeAttempt(app.db.kept, body.login, request.ip, auth.deviceOf(request))
  await refuseSignIn(app, attempt, from)
  const account = await app.db.kept.one<Account>({
    name: 'login',
    text: `select u.id, u."isBlocked", s."passwordHash" from users u left join user_secrets s on s."idUser" = u.id
        where lower(u.login) = $1 and not u.deleted`,
    values: [loginOf(body.login)],
  })
  if (!(await isPassword(account?.passwordHash, body.password)) || !account) {
    await journal(app.db.kept, {
      ...from,
      action: 'refused',
      basis: 'Неверный логин или пароль',
      ...(account ? { idUser: account.id } : {}),
    })
    throw refusedSignIn('Неверный логин или пароль', request.id)
  }
  await forgiveAttempt(app.db.kept, attempt)
  const idUser = account.id
  if (account.isBlocked) {
    await journal(app.db.kept, { ...from, action: 'refused', basis: 'Вход закрыт', idUser })
    throw refusedSignIn('Вход закрыт. Обратитесь к администратору', request.id)
  }
  const policy = await readPolicy(app.db.kept)
  if (!app.config.anyAddress && !isWithin(policy.allowedAddresses, request.ip)) {
    await journal(app.db.kept, { ...from, action: 'refused', basis: 'Вход с чужого адреса', idUser })
    throw refusedSignIn('С этого адреса вход закрыт. Обратитесь к администратору', request.id)
  }
  const instead = await ownSession(app.db.kept, readRefresh(auth.refreshCookie(request)), idUser)
  const second = await secondSignInOf(app, policy, idUser)
  const force = policy.secondSignIn === 'replace' || (body.forceLogin && second !== 'refuse')
  // A second factor works once: it is not consumed when the sign-in must first be confirmed and will be sent again.
  const isAsked = !force && (await hasOtherSession(app.db.kept, idUser, instead))
  const asked = await secondFactor(app, idUser, body, from, isAsked)
  if (asked)
    return { success: false, showSessionWarning: false, accessToken: null, errorText: null, secondFactor: asked }
  const userAgent = request.headers['user-agent']
  const opened = isAsked
    ? undefined
    : await app.db.kept.tx(async (tx) => {
        const session = await openSession(
          tx,
          auth.tokens,
          {
            ...{ idUser, remember: body.rememberMe, force, ip: request.ip },
            ...(instead === undefined ? {} : { instead }),
            ...(userAgent === undefined ? {} : { userAgent }),
          },
          policy,
        )
        if (session) await journal(tx, { ...from, action: 'login', idUser })
        return session
      })
  if (!opened && second === 'refuse') {
    await journal(app.db.kept, { ...from, action: 'refused', basis: 'Открыт другой сеанс', idUser })
    throw refusedSignIn('Вы уже вошли на другом компьютере: завершите тот сеанс там', request.id)
  }
  if (!opened) return { success: false, showSessionWarning: true, accessToken: null, errorText: null }
  await rememberDevice(app.db.kept, idUser, auth.handOutDevice(request, reply))
  await welcome(app, opened, body.sipPhone)
  return { success: true, showSessionWarning: false, accessToken: await auth.handOut(reply, opened), errorText: null }
})

/**
 * Verifies the second factor of a person who has one.
 * @param isLater the sign-in must be confirmed first: the given factor is not checked
 * @returns what the person must provide; undefined: nothing more
 * @throws HttpError 401 for a wrong factor, 429 after many
 */
async function secondFactor(
  app: AppContext,
  idUser: number,
  { code, passkey }: { code?: string | null | undefined; passkey?: { id: string } | null | undefined },
  from: { ip: string; requestId: string; entityType: string },
  isLater: boolean,
) {
  const db = app.db.kept
  const { items, codesLeft } = await factorsOf(db, idUser)
  if (items.length === 0) return undefined
  if (!code && !passkey) {
    const kinds = new Set(items.map(({ kind }) => kind))
    const ways = [...kinds, ...(codesLeft > 0 ? (['recovery'] as const) : [])]
    return { ways, passkey: await askPasskey(db, app.config, idUser) }
  }
  if (isLater) return undefined
  // Guessing codes requires the password: counted separately from wrong passwords, over all addresses.
  const attempt = await takeAttempt(db, `second factor ${idUser}`, from.ip)
  await refuseSignIn(app, attempt, { ...from, idUser })
  const taken = await db.tx(async (tx) =>
    passkey ? takePasskey(tx, app.config, idUser, passkey) : takeCode(tx, idUser, code as string),
  )
  if (!taken) {
    await journal(db, { ...from, action: 'refused', basis: 'Неверный второй фактор', idUser })
    throw refusedSignIn(passkey ? 'Ключ доступа не подошёл' : 'Неверный код', from.requestId)
  }
  await forgiveAttempt(db, attempt)
  if (taken === 'recovery')
    await journal(db, { ...from, action: 'update', basis: 'Вход по коду восстановления', idUser })
  return undefined
}

/** Administrators of the settings are asked to confirm where others are refused: no other user could help them. */
async function secondSignInOf(app: AppContext, { secondSignIn }: Policy, idUser: number) {
  if (secondSignIn !== 'refuse') return secondSignIn
  return (await actorOfUser(app.db.kept, idUser))?.permissions.mainSettings ? 'ask' : 'refuse'
}

async function refuseSignIn(app: AppContext, attempt: Attempt, from: Omit<JournalEntry, 'action'>): Promise<void> {
  if (attempt.wait === 0) return
  await journal(app.db.kept, { ...from, action: 'refused', basis: 'Слишком много попыток' })
  const text = waitText(attempt.wait)
  const { headers } = tooMany(attempt.wait)
  throw new HttpError(429, text, { headers: headers ?? {}, body: refusalBody(429, text, from.requestId) })
}

/** Combines the login's own answer and the standard error body. */
const refusalBody = (status: number, text: string, requestId: string | undefined) => ({
  success: false,
  showSessionWarning: false,
  accessToken: null,
  errorText: text,
  name: status === 429 ? 'TooManyRequests' : 'Unauthorized',
  message: text,
  status,
  requestId,
})

const refusedSignIn = (text: string, requestId: string) =>
  new HttpError(401, text, { body: refusalBody(401, text, requestId) })

async function welcome(
  app: AppContext,
  { idUser, idSession }: Opened,
  sipPhone: string | null | undefined,
): Promise<void> {
  await markActive(app.db.kept, idUser, idSession)
  // An invalid number must not prevent the sign-in.
  if (!sipPhone || !User.fields.sipPhone.check(sipPhone).ok) return
  await app.engine.for({ ...systemActor, id: idUser }).update(User, idUser, { sipPhone })
}

/** Requests authenticated by the cookie alone must come from our own pages: browsers send the page in `Origin`. */
function refuseForeign({ config }: AppContext, { headers: { origin, host } }: FastifyRequest): void {
  if (origin === undefined || origin === new URL(config.publicUrl).origin) return
  if (URL.parse(origin)?.host !== host) throw forbidden('Запрос пришёл с чужой страницы', 'origin')
}

const refresh = operation(authCalls.refresh, async ({ app, request, reply }) => {
  refuseForeign(app, request)
  const auth = authOf(app)
  const given = readRefresh(auth.refreshCookie(request))
  const { allowedAddresses } = await readPolicy(app.db.kept)
  if (!app.config.anyAddress && !isWithin(allowedAddresses, request.ip))
    throw unauthorized('С этого адреса вход закрыт. Обратитесь к администратору', 'address')
  const refreshed = given && (await refreshSession(app.db.kept, auth.tokens, given))
  if (!refreshed || 'refused' in refreshed) {
    if (refreshed?.refused === 'reuse') {
      await journal(app.db.kept, {
        action: 'refused',
        entityType: 'auth',
        idUser: refreshed.idUser,
        ip: request.ip,
        requestId: request.id,
        basis: 'Повторное использование токена: сеанс завершён',
      })
    }
    // The cookie may belong to an ended session, or to a newer one set by another tab: only the first is cleared.
    if (refreshed) auth.clearCookies(reply)
    throw unauthorized('Сеанс завершён, войдите снова')
  }
  return { status: 'ok' as const, token: await auth.handOut(reply, refreshed.opened) }
})

const signOut = operation(authCalls.signOut, async ({ app, request, reply }) => {
  refuseForeign(app, request)
  const idSession = await sessionOf(app, request)
  if (idSession) {
    await app.db.kept.tx(async (tx) => {
      const idUser = await endSession(tx, idSession, 'logout')
      if (idUser)
        await journal(tx, { action: 'logout', entityType: 'auth', idUser, ip: request.ip, requestId: request.id })
    })
  }
  authOf(app).clearCookies(reply)
  // Clears the browser's cached answers with the session.
  reply.header('clear-site-data', '"cache", "storage"')
  return { status: 'ok' as const }
})

/** By the access token, else by the refresh cookie: signing out must work with an expired token. */
async function sessionOf(app: AppContext, request: FastifyRequest): Promise<string | undefined> {
  const auth = authOf(app)
  const actor = await auth.actorOf(request).catch(() => undefined)
  if (actor) return actor.idSession
  const given = readRefresh(auth.refreshCookie(request))
  const row =
    given &&
    (await app.db.kept.one<{ idUser: number }>({
      text: 'select "idUser" from sessions where id = $1::uuid and "endedAt" is null',
      values: [given.idSession],
    }))
  return given && row && (await ownSession(app.db.kept, given, row.idUser))
}

const sessions = operation(authCalls.sessions, async ({ app, actor }) => {
  const open = await openSessionsOf(app.db.kept, actor.id)
  return { items: open.map((session) => ({ ...session, isCurrent: session.id === actor.idSession })) }
})

const closeSession = operation(authCalls.closeSession, async ({ app, actor, params }) => {
  await app.db.kept.tx(async (tx) => {
    if ((await endSession(tx, params.id, 'closed', actor.id)) === undefined) throw notFound('Сеанс уже завершён')
    await journal(tx, {
      action: 'logout',
      entityType: 'auth',
      basis: 'Сеанс завершён из списка',
      ...journalActor(actor),
    })
  })
})

const changePassword = operation(authCalls.changePassword, async ({ app, actor, body, request }) => {
  const from = { ...journalActor(actor), entityType: 'auth' }
  const me = await app.db.kept.one<{ login: string; passwordHash: string | null }>({
    text: 'select u.login, s."passwordHash" from users u left join user_secrets s on s."idUser" = u.id where u.id = $1',
    values: [actor.id],
  })
  const attempt = await takeAttempt(app.db.kept, me?.login ?? '', request.ip, authOf(app).deviceOf(request))
  await refuseSignIn(app, attempt, from)
  if (!(await isPassword(me?.passwordHash, body.currentPassword))) {
    await journal(app.db.kept, { ...from, action: 'refused', basis: 'Смена пароля: неверный текущий пароль' })
    throw new ValidationError([{ field: 'currentPassword', message: 'Неверный пароль' }])
  }
  await forgiveAttempt(app.db.kept, attempt)
  const fault =
    passwordFault(body.newPassword, me?.login ?? '', await readPolicy(app.db.kept)) ??
    (body.newPassword === body.currentPassword ? 'Новый пароль совпадает с прежним' : undefined)
  if (fault) throw new ValidationError([{ field: 'newPassword', message: fault }])
  const passwordHash = await hashPassword(body.newPassword)
  await app.db.kept.tx(async (tx) => {
    await storePassword(tx, actor.id, passwordHash, false)
    await endSessions(tx, actor.id, 'password', actor.idSession)
    // All pages become accessible.
    if (actor.mustChangePassword) await signal(tx, { users: [actor.id] })
    await journal(tx, { ...from, action: 'password' })
  })
  return { status: 'ok' as const }
})

export const authOperations = [signIn, refresh, signOut, sessions, closeSession, changePassword]
