import { loginOf, User } from '@ordinator/model/areas/staff/user'
import { messages } from '@ordinator/model/messages'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { HttpError, notFound, tooMany, unauthorized, ValidationError } from '../platform/errors.ts'
import { systemActor } from '../records/actor.ts'
import type { AppContext } from '../records/context.ts'
import { type JournalEntry, journal, journalActor } from '../records/journal.ts'
import { operation } from '../records/operation.ts'
import { hashPassword, isPassword, passwordFault, storePassword } from './passwords.ts'
import { authOf } from './registerAuth.ts'
import {
  endSession,
  endSessions,
  markSeen,
  type Opened,
  openSession,
  openSessionsOf,
  ownSession,
  refreshSession,
} from './sessions.ts'
import { type Attempt, forgiveAttempt, takeAttempt, waitText } from './throttle.ts'
import { readRefresh } from './tokens.ts'

/** Requests a minute from one address; a whole clinic may stand behind one. */
const LOGIN_LIMIT = 300

/** A flag as forms and JSON write it. */
const flag = z
  .union([z.boolean(), z.number(), z.string()], messages.boolean)
  .optional()
  .transform((value) => value === true || value === 1 || ['1', 'true', 'on', 'yes'].includes(String(value)))

const typed = (max: number) =>
  z
    .string({ error: (issue) => (issue.input === undefined ? messages.required : messages.string) })
    .max(max, messages.maxLength(max))

const loginBody = z.object({
  login: typed(200).min(1, messages.required),
  password: typed(1_000).min(1, messages.required),
  rememberMe: flag,
  forceLogin: flag,
  sipPhone: z.string(messages.string).trim().max(32, messages.maxLength(32)).nullish(),
})

const loginAnswer = z.object({
  success: z.boolean(),
  showSessionWarning: z.boolean(),
  accessToken: z.string().nullable(),
  errorText: z.string().nullable(),
})

const sessionShape = z.object({
  id: z.string(),
  ip: z.string().nullable(),
  userAgent: z.string().nullable(),
  remember: z.boolean(),
  dateCreate: z.string(),
  lastSeen: z.string(),
  expiresAt: z.string(),
  isCurrent: z.boolean(),
})
export const sessionsAnswer = z.object({ items: z.array(sessionShape) })

interface Account {
  id: number
  isBlocked: boolean
  passwordHash: string | null
}

const signIn = operation({
  method: 'POST',
  path: '/auth/login',
  summary: 'Вход: логин и пароль меняются на токен доступа',
  access: 'public',
  bodyType: 'form',
  body: loginBody,
  answer: loginAnswer,
  limit: LOGIN_LIMIT,
  async handler({ app, body, request, reply }) {
    const auth = authOf(app)
    const from = { ip: request.ip, requestId: request.id, entityType: 'auth' }
    const attempt = await takeAttempt(app.db, body.login, request.ip)
    await refuseWaiting(app, attempt, from)
    const account = await app.db.one<Account>({
      name: 'login',
      text: `select u.id, u."isBlocked", s."passwordHash" from users u left join user_secrets s on s."idUser" = u.id
        where lower(u.login) = $1 and not u.deleted`,
      values: [loginOf(body.login)],
    })
    if (!(await isPassword(account?.passwordHash, body.password)) || !account) {
      await journal(app.db, {
        ...from,
        action: 'refused',
        basis: 'Неверный логин или пароль',
        ...(account ? { idUser: account.id } : {}),
      })
      throw refusedSignIn('Неверный логин или пароль')
    }
    await forgiveAttempt(app.db, attempt)
    const idUser = account.id
    if (account.isBlocked) {
      await journal(app.db, { ...from, action: 'refused', basis: 'Вход закрыт', idUser })
      throw refusedSignIn('Вход закрыт. Обратитесь к администратору')
    }
    const instead = await ownSession(app.db, readRefresh(auth.refreshCookie(request)), idUser)
    const opened = await app.db.tx(async (tx) => {
      const session = await openSession(tx, auth.tokens, {
        idUser,
        remember: body.rememberMe,
        force: body.forceLogin,
        ip: request.ip,
        ...(instead === undefined ? {} : { instead }),
        ...(request.headers['user-agent'] === undefined ? {} : { userAgent: request.headers['user-agent'] }),
      })
      if (session) await journal(tx, { ...from, action: 'login', idUser })
      return session
    })
    if (!opened) return { success: false, showSessionWarning: true, accessToken: null, errorText: null }
    await welcome(app, opened, body.sipPhone)
    return { success: true, showSessionWarning: false, accessToken: await auth.handOut(reply, opened), errorText: null }
  },
})

async function refuseWaiting(app: AppContext, attempt: Attempt, from: Omit<JournalEntry, 'action'>): Promise<void> {
  if (attempt.wait === 0) return
  await journal(app.db, { ...from, action: 'refused', basis: 'Слишком много попыток' })
  const text = waitText(attempt.wait)
  const { headers } = tooMany(attempt.wait)
  throw new HttpError(429, text, { headers: headers ?? {}, body: refusalBody(429, text) })
}

/** The shape of the login's answer and of the house's errors at once. */
const refusalBody = (status: number, text: string) => ({
  success: false,
  showSessionWarning: false,
  accessToken: null,
  errorText: text,
  name: status === 429 ? 'TooManyRequests' : 'Unauthorized',
  message: text,
  status,
})

const refusedSignIn = (text: string) => new HttpError(401, text, { body: refusalBody(401, text) })

async function welcome(
  app: AppContext,
  { idUser, idSession }: Opened,
  sipPhone: string | null | undefined,
): Promise<void> {
  await markSeen(app.db, idUser, idSession)
  // A wrong number is no reason to keep anybody out.
  if (!sipPhone || !User.fields.sipPhone.check(sipPhone).ok) return
  await app.engine.for({ ...systemActor, id: idUser }).update(User, idUser, { sipPhone })
}

const refresh = operation({
  method: 'POST',
  path: '/auth/refresh-token',
  summary: 'Новый токен доступа по cookie обновления',
  access: 'public',
  bodyType: 'form',
  answer: z.object({ status: z.literal('ok'), token: z.string() }),
  async handler({ app, request, reply }) {
    const auth = authOf(app)
    const given = readRefresh(auth.refreshCookie(request))
    const refreshed = given && (await refreshSession(app.db, auth.tokens, given))
    if (!refreshed || 'refused' in refreshed) {
      if (refreshed?.refused === 'reuse') {
        await journal(app.db, {
          action: 'refused',
          entityType: 'auth',
          idUser: refreshed.idUser,
          ip: request.ip,
          requestId: request.id,
          basis: 'Повторное использование токена: сеанс завершён',
        })
      }
      // A cookie of a session that is over, or of a newer one that another tab has put there meanwhile: only the first is cleared.
      if (refreshed) auth.clearCookies(reply)
      throw unauthorized('Сеанс завершён, войдите снова')
    }
    return { status: 'ok' as const, token: await auth.handOut(reply, refreshed.opened) }
  },
})

const signOut = operation({
  method: 'POST',
  path: '/auth/logout',
  summary: 'Выход: сеанс завершается',
  access: 'public',
  bodyType: 'form',
  answer: z.object({ status: z.literal('ok') }),
  async handler({ app, request, reply }) {
    const idSession = await sessionOf(app, request)
    if (idSession) {
      await app.db.tx(async (tx) => {
        const idUser = await endSession(tx, idSession, 'logout')
        if (idUser)
          await journal(tx, { action: 'logout', entityType: 'auth', idUser, ip: request.ip, requestId: request.id })
      })
    }
    authOf(app).clearCookies(reply)
    return { status: 'ok' as const }
  },
})

/** By the access token, else by the refresh cookie: a token that is out of date must not keep one signed in. */
async function sessionOf(app: AppContext, request: FastifyRequest): Promise<string | undefined> {
  const auth = authOf(app)
  const actor = await auth.actorOf(request).catch(() => undefined)
  if (actor) return actor.idSession
  const given = readRefresh(auth.refreshCookie(request))
  const row =
    given &&
    (await app.db.one<{ idUser: number }>({
      text: 'select "idUser" from sessions where id = $1::uuid and "endedAt" is null',
      values: [given.idSession],
    }))
  return given && row && (await ownSession(app.db, given, row.idUser))
}

const sessions = operation({
  method: 'GET',
  path: '/auth/sessions',
  summary: 'Свои открытые сеансы',
  access: 'signed-in',
  answer: sessionsAnswer,
  async handler({ app, actor }) {
    const open = await openSessionsOf(app.db, actor.id)
    return { items: open.map((session) => ({ ...session, isCurrent: session.id === actor.idSession })) }
  },
})

export const sessionId = z.object({ id: z.uuid(messages.reference) })

const closeSession = operation({
  method: 'DELETE',
  path: '/auth/sessions/:id',
  summary: 'Завершить свой сеанс',
  access: 'signed-in',
  status: 204,
  params: sessionId,
  async handler({ app, actor, params }) {
    await app.db.tx(async (tx) => {
      if ((await endSession(tx, params.id, 'closed', actor.id)) === undefined) throw notFound('Сеанс уже завершён')
      await journal(tx, {
        action: 'logout',
        entityType: 'auth',
        basis: 'Сеанс завершён из списка',
        ...journalActor(actor),
      })
    })
  },
})

const changePassword = operation({
  method: 'POST',
  path: '/auth/change-password',
  summary: 'Сменить свой пароль; остальные сеансы завершаются',
  access: 'signed-in',
  body: z.object({
    currentPassword: typed(1_000).min(1, messages.required),
    newPassword: typed(1_000).min(1, messages.required),
  }),
  answer: z.object({ status: z.literal('ok') }),
  async handler({ app, actor, body, request }) {
    const from = { ...journalActor(actor), entityType: 'auth' }
    const me = await app.db.one<{ login: string; passwordHash: string | null }>({
      text: 'select u.login, s."passwordHash" from users u left join user_secrets s on s."idUser" = u.id where u.id = $1',
      values: [actor.id],
    })
    const attempt = await takeAttempt(app.db, me?.login ?? '', request.ip)
    await refuseWaiting(app, attempt, from)
    if (!(await isPassword(me?.passwordHash, body.currentPassword))) {
      await journal(app.db, { ...from, action: 'refused', basis: 'Смена пароля: неверный текущий пароль' })
      throw new ValidationError([{ field: 'currentPassword', message: 'Неверный пароль' }])
    }
    await forgiveAttempt(app.db, attempt)
    const fault =
      passwordFault(body.newPassword, me?.login ?? '') ??
      (body.newPassword === body.currentPassword ? 'Новый пароль совпадает с прежним' : undefined)
    if (fault) throw new ValidationError([{ field: 'newPassword', message: fault }])
    const passwordHash = await hashPassword(body.newPassword)
    await app.db.tx(async (tx) => {
      await storePassword(tx, actor.id, passwordHash, false)
      await endSessions(tx, actor.id, 'password', actor.idSession)
      await journal(tx, { ...from, action: 'password' })
    })
    return { status: 'ok' as const }
  },
})

export const authOperations = [signIn, refresh, signOut, sessions, closeSession, changePassword]
