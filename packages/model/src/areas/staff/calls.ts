import { z } from 'zod'
import { call, id, idParams, idText, oneOf, rowOf, shapeOf, viewQuery } from '../../call.ts'
import type { Permission } from '../../permissions.ts'
import { type Module, modules, tariffs } from '../../tariff.ts'
import { sessionId, sessionsAnswer } from '../auth/calls.ts'
import { uploadCall } from '../files/calls.ts'
import type { CommonSettings } from '../settings/commonSettings.ts'
import type { UserSettingGroups } from '../settings/userSettings.ts'
import { actionLabels } from './explain.ts'
import { StaffPhoto } from './photo.ts'
import { User } from './user.ts'

/** Maximum users per presence request. */
const MAX_ASKED = 1_000
/** Maximum slips with temporary passwords per request: each costs a tenth of a second. */
export const MAX_SLIPS = 50

const avatar = z.object({ id: z.number(), avatar: z.string().nullable() })

const verdictShape = z.object({
  kind: z.enum(['page', 'action']),
  /** Key of the page, or path of the entity. */
  key: z.string(),
  title: z.string(),
  section: z.string().nullable(),
  action: z.string().nullable(),
  open: z.boolean(),
  /** permission, tariff, module, nobody, blocked, row, missing; null when allowed. */
  reason: z.string().nullable(),
  text: z.string(),
  /** Permissions that grant it: any one, unless `every`. */
  permissions: z.array(z.object({ name: z.string(), label: z.string() })),
  every: z.boolean(),
  /** Roles that grant the permissions; `held`: the user has it. */
  roles: z.array(z.object({ id: z.number(), name: z.string(), held: z.boolean() })),
})
/** Why a user may, or may not, open a page or perform an action. */
export type Verdict = z.output<typeof verdictShape>

const blocking = <const V extends 'block' | 'unblock'>(verb: V, summary: string) =>
  call({
    method: 'POST',
    path: `/users/:id/${verb}` as const,
    summary,
    access: 'editUsers',
    fresh: true,
    params: idParams,
    answer: rowOf(User),
  })

export const staffCalls = {
  uploadPhoto: uploadCall(StaffPhoto),
  block: blocking('block', 'Закрыть сотруднику вход'),
  unblock: blocking('unblock', 'Открыть сотруднику вход'),
  resetPassword: call({
    method: 'POST',
    path: '/users/:id/reset-password',
    summary: 'Новый случайный пароль: показывается один раз, сеансы сотрудника завершаются',
    access: 'editUsers',
    fresh: true,
    params: idParams,
    answer: z.object({ password: z.string() }),
  }),
  slips: call({
    method: 'POST',
    path: '/users/slips',
    summary: `Временные пароли для листков, по одному на сотрудника: тем, кто ещё не входил; до ${MAX_SLIPS} за раз`,
    access: 'editUsers',
    fresh: true,
    body: z.strictObject({
      ids: z
        .array(id)
        .min(1, 'Выберите сотрудников')
        .max(MAX_SLIPS, `Не больше ${MAX_SLIPS}`)
        .refine((all) => new Set(all).size === all.length, 'Указано дважды'),
    }),
    answer: z.object({
      slips: z.array(
        z.object({ id, fio: z.string(), post: z.string().nullable(), login: z.string(), password: z.string() }),
      ),
      /** Users left out: they have signed in and have their own password. */
      passed: z.array(z.string()),
    }),
  }),
  sessions: call({
    method: 'GET',
    path: '/users/:id/sessions',
    summary: 'Открытые сеансы сотрудника',
    access: 'editUsers',
    params: idParams,
    answer: sessionsAnswer,
  }),
  closeSession: call({
    method: 'DELETE',
    path: '/users/:id/sessions/:idSession',
    summary: 'Завершить сеанс сотрудника',
    access: 'editUsers',
    params: idParams.extend({ idSession: sessionId.shape.id }),
  }),
  setAvatar: call({
    method: 'POST',
    path: '/users/:id/avatar',
    summary: 'Загрузить фотографию: поля originalFile и croppedFile',
    access: 'signed-in',
    params: idParams,
    bodyType: 'multipart',
    answer: avatar,
  }),
  removeAvatar: call({
    method: 'DELETE',
    path: '/users/:id/avatar',
    summary: 'Удалить фотографию',
    access: 'signed-in',
    params: idParams,
    answer: avatar,
  }),
  avatar: call({
    method: 'GET',
    path: '/users/:id/avatar/:version',
    summary: 'Фотография; для <img> вход подтверждает cookie файлов',
    access: 'public',
    params: idParams.extend({ version: z.string().regex(/^[0-9a-f]{12}$/) }),
    query: z.object({ size: z.enum(['64', '256', 'original']).default('256') }),
    file: 'image/webp',
  }),
  explain: call({
    method: 'GET',
    path: '/staff/explain',
    summary: 'Почему сотруднику доступны или недоступны экраны и действия',
    access: 'editUsers',
    query: z.object({
      idUser: idText,
      page: z.string().max(100).optional(),
      entity: z.string().max(200).optional(),
      action: oneOf(actionLabels).optional(),
      id: idText.optional(),
    }),
    answer: z.object({
      user: z.object({ id: z.number(), shortFio: z.string(), isActive: z.boolean() }),
      verdicts: z.array(verdictShape),
    }),
  }),
  account: call({
    method: 'POST',
    path: '/common/get-account',
    summary: 'Кто вошёл: сотрудник, права, настройки, тариф и модули',
    access: 'signed-in',
    withTemporaryPassword: true,
    bodyType: 'form',
    answer: z.object({
      user: z.object({
        identity: rowOf(User),
        roles: z.array(z.object({ id: z.number(), name: z.string() })),
        /** `menuChosen`: the user has changed the state of the menu from the default. */
        specials: shapeOf<{ mustChangePassword: boolean; mustAddFactor: boolean; menuChosen: boolean }>(),
        permissions: z.record(z.string(), z.literal(true)) as z.ZodType<Partial<Record<Permission, true>>>,
        /** The only branches that the user sees; absent: all. */
        onlyFilials: z.array(z.number()).optional(),
        badges: z.record(z.string(), z.number()),
        settings: z.object({
          main: shapeOf<UserSettingGroups['main']>(),
          notifications: shapeOf<UserSettingGroups['notifications']>(),
          examinationDictionaries: shapeOf<UserSettingGroups['examinationDictionaries']>(),
        }),
        /** Time zone of the screens: of the profile, else of the clinic. */
        timeZone: z.string(),
        hash: z.string(),
      }),
      /** Event cursor: a socket that starts here misses nothing after this response. */
      cursor: z.string(),
      common: z.object({
        settings: shapeOf<Partial<CommonSettings>>(),
        tariff: z.enum(tariffs),
        additionalServices: z.array(z.enum(modules as [Module, ...Module[]])),
        /** A telephone exchange for dialling is connected. */
        telephony: z.boolean(),
        /** No visit was completed yet: the dashboard shows administrators the first steps. */
        isNew: z.boolean().optional(),
        /** This is the training clinic. */
        training: z.boolean().optional(),
        /** The clinic was created as the demo. */
        demo: z.boolean().optional(),
      }),
    }),
  }),
  badges: call({
    method: 'GET',
    path: '/common/badges',
    summary: 'Что ждёт сотрудника: числа у страниц меню, как в get-account',
    access: 'signed-in',
    answer: z.record(z.string(), z.number()),
  }),
  view: call({
    method: 'GET',
    path: '/users/view',
    summary: 'Сотрудник по номеру в строке запроса',
    access: 'signed-in',
    query: z.object({ id: idText, ...viewQuery }),
    answer: rowOf(User),
  }),
  isOnline: call({
    method: 'POST',
    path: '/users/is-online',
    summary: 'Кто из сотрудников в сети; спрашивающий отмечается как присутствующий',
    access: 'signed-in',
    bodyType: 'form',
    body: z.object({
      users: z.array(idText).max(MAX_ASKED).default([]),
    }),
    answer: z.record(z.string(), z.boolean()),
  }),
  setSipPhone: call({
    method: 'POST',
    path: '/users/set-sip-phone',
    summary: 'Свой внутренний номер телефона',
    access: 'signed-in',
    bodyType: 'form',
    body: z.object({ sipPhone: z.string().nullable() }),
    answer: z.object({ id, sipPhone: z.string().nullable() }),
  }),
  setContacts: call({
    method: 'POST',
    path: '/users/set-contacts',
    summary: 'Свой телефон и своя электронная почта',
    access: 'signed-in',
    body: z.strictObject({ phone: z.string().nullable().optional(), email: z.string().nullable().optional() }),
    answer: z.object({ id, phone: z.string().nullable(), email: z.string().nullable() }),
  }),
}
