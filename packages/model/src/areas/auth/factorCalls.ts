import { z } from 'zod'
import { call, idParams, shapeOf } from '../../call.ts'
import { messages } from '../../messages.ts'
import type { Factors, PasskeyOptions } from './factor.ts'

/** The browser's WebAuthn response. */
export const passkeyAnswer = z.looseObject({ id: z.string().max(2_000), type: z.literal('public-key') })

const name = z
  .string(messages.string)
  .trim()
  .min(1, messages.required)
  .max(60, messages.maxLength(60))
  .describe('Название, чтобы отличать: «Телефон», «Ключ в сейфе»')
/** The first factor comes with recovery codes; null: they exist already. */
const added = z.object({ codes: z.array(z.string()).nullable() })
const own = { access: 'signed-in', withTemporaryPassword: true } as const
const fresh = { ...own, fresh: true } as const

export const factorCalls = {
  factors: call({
    ...own,
    method: 'GET',
    path: '/auth/factors',
    summary: 'Свои вторые факторы',
    answer: shapeOf<Factors>(),
  }),
  beginTotp: call({
    ...fresh,
    method: 'POST',
    path: '/auth/factors/totp/begin',
    summary: 'Начать подключать приложение с кодами: ключ, адрес otpauth и его QR-код',
    answer: z.object({ secret: z.string(), uri: z.string(), qr: z.string().describe('SVG как data:') }),
  }),
  addTotp: call({
    ...fresh,
    method: 'POST',
    path: '/auth/factors/totp',
    summary: 'Подключить приложение первым его кодом',
    body: z.strictObject({ name, code: z.string(messages.string).trim().min(1, messages.required).max(20) }),
    answer: added,
  }),
  beginPasskey: call({
    ...fresh,
    method: 'POST',
    path: '/auth/factors/passkey/begin',
    summary: 'Начать добавлять ключ доступа: что передать браузеру',
    answer: z.custom<PasskeyOptions>().meta({ type: 'object' }),
  }),
  addPasskey: call({
    ...fresh,
    method: 'POST',
    path: '/auth/factors/passkey',
    summary: 'Добавить ключ доступа ответом браузера',
    body: z.strictObject({ name, response: passkeyAnswer }),
    answer: added,
  }),
  removeFactor: call({
    ...fresh,
    method: 'DELETE',
    path: '/auth/factors/:id',
    summary: 'Убрать свой второй фактор',
    params: idParams,
  }),
  renewCodes: call({
    ...fresh,
    method: 'POST',
    path: '/auth/factors/codes',
    summary: 'Новые коды восстановления вместо прежних; показываются один раз',
    answer: z.object({ codes: z.array(z.string()) }),
  }),
  prove: call({
    ...own,
    method: 'POST',
    path: '/auth/proof',
    summary: 'Подтвердить паролем, что за компьютером вы: на 15 минут открывает важные действия',
    body: z.strictObject({ password: z.string(messages.string).min(1, messages.required).max(1_000) }),
  }),
  factorsOfUser: call({
    method: 'GET',
    path: '/users/:id/factors',
    summary: 'Вторые факторы сотрудника',
    access: 'editUsers',
    params: idParams,
    answer: shapeOf<Factors>(),
  }),
  resetFactors: call({
    method: 'DELETE',
    path: '/users/:id/factors',
    summary: 'Сбросить вторые факторы сотрудника: он потерял телефон и коды; сеансы завершаются',
    access: 'editUsers',
    fresh: true,
    params: idParams,
  }),
}
