import { z } from 'zod'
import { call } from '../../call.ts'
import { messages } from '../../messages.ts'
import type { PasskeyOptions } from './factor.ts'
import { passkeyAnswer } from './factorCalls.ts'

/** Requests a minute from one address; a whole clinic may share one address. */
const LOGIN_LIMIT = 300

/** A flag as sent by forms and by JSON. */
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
  code: z
    .string(messages.string)
    .max(40, messages.maxLength(40))
    .nullish()
    .describe('Второй фактор: код приложения или код восстановления'),
  passkey: passkeyAnswer.nullish().describe('Второй фактор: ответ ключа доступа'),
})

const loginAnswer = z.object({
  success: z.boolean(),
  showSessionWarning: z.boolean(),
  accessToken: z.string().nullable(),
  errorText: z.string().nullable(),
  secondFactor: z
    .object({
      ways: z.array(z.enum(['totp', 'passkey', 'recovery'])),
      passkey: z.custom<PasskeyOptions>().meta({ type: 'object' }).nullable(),
    })
    .optional()
    .describe('Пароль верный, нужен второй фактор: повторить вход с code или passkey'),
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
/** A session of a signed-in user. Times are ISO 8601. */
export type Session = z.output<typeof sessionShape>
export const sessionsAnswer = z.object({ items: z.array(sessionShape) })
export const sessionId = z.object({ id: z.uuid(messages.reference) })

export const authCalls = {
  signIn: call({
    method: 'POST',
    path: '/auth/login',
    summary: 'Вход: логин и пароль меняются на токен доступа',
    access: 'public',
    bodyType: 'form',
    body: loginBody,
    answer: loginAnswer,
    limit: LOGIN_LIMIT,
    aside: true,
  }),
  refresh: call({
    method: 'POST',
    path: '/auth/refresh-token',
    summary: 'Новый токен доступа по cookie обновления',
    access: 'public',
    bodyType: 'form',
    answer: z.object({ status: z.literal('ok'), token: z.string() }),
    aside: true,
  }),
  signOut: call({
    method: 'POST',
    path: '/auth/logout',
    summary: 'Выход: сеанс завершается',
    access: 'public',
    withTemporaryPassword: true,
    bodyType: 'form',
    answer: z.object({ status: z.literal('ok') }),
    aside: true,
  }),
  sessions: call({
    method: 'GET',
    path: '/auth/sessions',
    summary: 'Свои открытые сеансы',
    access: 'signed-in',
    answer: sessionsAnswer,
  }),
  closeSession: call({
    method: 'DELETE',
    path: '/auth/sessions/:id',
    summary: 'Завершить свой сеанс',
    access: 'signed-in',
    params: sessionId,
  }),
  changePassword: call({
    method: 'POST',
    path: '/auth/change-password',
    summary: 'Сменить свой пароль; остальные сеансы завершаются',
    access: 'signed-in',
    withTemporaryPassword: true,
    body: z.object({
      currentPassword: typed(1_000).min(1, messages.required),
      newPassword: typed(1_000).min(1, messages.required),
    }),
    answer: z.object({ status: z.literal('ok') }),
  }),
}
