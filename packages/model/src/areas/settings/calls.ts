import { anyRow, call, shapeOf } from '../../call.ts'
import type { CommonSettings } from './commonSettings.ts'
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

/** The three groups of a user's own settings. */
export const ownSettingCalls = {
  main: own('main'),
  notifications: own('notifications'),
  examinationDictionaries: own('examinationDictionaries'),
}

export const settingsCalls = {
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
    summary: 'Изменить настройки клиники: любую часть',
    access: 'mainSettings',
    body: anyRow,
    answer: shapeOf<CommonSettings>(),
  }),
}
