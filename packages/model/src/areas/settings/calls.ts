import { z } from 'zod'
import { anyRow, call, id, idParams, idText, rowOf, shapeOf } from '../../call.ts'
import type { CommonSettings } from './commonSettings.ts'
import { MAX_SHARED_VIEWS, MAX_VIEW_NAME, SharedView } from './sharedView.ts'
import { type UserSettingGroup, userSettingPaths } from './userSettings.ts'

const own = <const G extends UserSettingGroup>(group: G) => {
  const path = `/user-settings/${userSettingPaths[group]}` as const
  const write = { path, access: 'signed-in', body: anyRow, answer: anyRow } as const
  const summary = `Изменить свои настройки: ${group}, любую часть`
  return {
    read: call({ method: 'GET', path, summary: `Свои настройки: ${group}`, access: 'signed-in', answer: anyRow }),
    write: call({ ...write, method: 'PUT', summary }),
    post: call({ ...write, method: 'POST', summary }),
  }
}

/** Groups of a user's own settings. */
export const ownSettingCalls = {
  main: own('main'),
  notifications: own('notifications'),
  examinationDictionaries: own('examinationDictionaries'),
}

const person = z.object({ id, shortFio: z.string() }).nullable()

/** Metadata of a setting; version 0 if it was never set. */
const mark = z.object({
  version: z.int(),
  dateChange: z.string(),
  user: person,
})
export type SettingMark = z.output<typeof mark>

/** A change of a setting. For a secret, `from` and `to` show only whether it was set; null is the default. */
const change = z.object({
  id,
  name: z.string(),
  from: z.unknown(),
  to: z.unknown(),
  /** Version of the setting after it. */
  version: z.int(),
  dateCreate: z.string(),
  user: person,
  /** The change that this one undid. */
  idUndone: id.nullable(),
})
export type SettingChange = z.output<typeof change>

const MAX_CHANGES = 100

export const settingsCalls = {
  shareView: call({
    method: 'POST',
    path: '/shared-views/share',
    summary: `Показать вид списка всем, у кого есть роль: свою или, с правом на роли, любую; не больше ${MAX_SHARED_VIEWS} на список и роль`,
    access: 'signed-in',
    status: 201,
    body: z.strictObject({
      screen: z.string().min(1).max(128),
      name: z.string().trim().min(1).max(MAX_VIEW_NAME),
      value: anyRow,
      idRole: id,
    }),
    answer: rowOf(SharedView),
  }),
  face: call({
    method: 'GET',
    path: '/settings/face',
    summary: 'Чем клиника узнаётся до входа: название, логотип, цвет',
    access: 'public',
    answer: z.object({ name: z.string(), logo: z.string(), color: z.string() }),
  }),
  picture: call({
    method: 'GET',
    path: '/settings/pictures/:name',
    summary: 'Картинка из настроек клиники: логотип',
    access: 'public',
    params: z.object({ name: z.string().regex(/^[\da-f]{64}$/) }),
    file: 'image/png',
  }),
  readCommon: call({
    method: 'GET',
    path: '/settings/common',
    summary: 'Настройки клиники',
    access: 'mainSettings',
    answer: shapeOf<CommonSettings>(),
  }),
  writeCommon: call({
    method: 'PUT',
    path: '/settings/common',
    summary: 'Изменить настройки клиники: любую часть; _versions — какими их видели',
    access: 'mainSettings',
    fresh: true,
    body: anyRow,
    answer: shapeOf<CommonSettings>(),
  }),
  state: call({
    method: 'GET',
    path: '/settings/state',
    summary: 'Настройки клиники, их версии и кто их менял',
    access: 'mainSettings',
    answer: z.object({ values: shapeOf<CommonSettings>(), marks: z.record(z.string(), mark) }),
  }),
  changes: call({
    method: 'GET',
    path: '/settings/changes',
    summary: 'Кто, когда и что менял в настройках клиники, новые сначала',
    access: 'mainSettings',
    query: z.object({
      name: z.string().max(64).optional(),
      /** Changes before this one: the next page. */
      before: idText.optional(),
      limit: z.coerce.number<number>().int().min(1).max(MAX_CHANGES).default(30),
    }),
    answer: z.object({ items: z.array(change), hasMore: z.boolean() }),
  }),
  undo: call({
    method: 'POST',
    path: '/settings/changes/:id/undo',
    summary: 'Вернуть настройке то, что было до этого изменения',
    access: 'mainSettings',
    fresh: true,
    params: idParams,
    body: z.object({
      /** Expected version of the setting. */
      version: z.int().positive(),
    }),
    answer: change,
  }),
}
