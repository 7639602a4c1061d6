/** Whether documents are sent to the register, and otherwise the missing settings with their place. */
import { egiszCalls } from '@ordinator/model/areas/egisz/calls'
import { egiszModes } from '@ordinator/model/areas/settings/children/exchange'
import sql from 'sql-template-tag'
import { readCommonSettings } from '#areas/settings/index.ts'
import { signingState } from '#areas/signatures/index.ts'
import { operation } from '#records/operation.ts'
import { egiszConnection } from './connection.ts'

export const state = operation(egiszCalls.state, async ({ app }) => {
  const settings = await readCommonSettings(app.db)
  const kinds = await app.db.one(sql`select 1 from egisz_documents where not "deleted" and "active" limit 1`)
  const signing = await signingState(app, { isWorking: settings.egiszMode === 'prod' })
  const settingsPage = '/settings/egisz'
  const wanted: [boolean, string, string][] = [
    [settings.egiszMode !== 'off', 'Включите обмен: выберите режим', settingsPage],
    [settings.egiszOid !== '', 'Впишите ОИД организации', settingsPage],
    [
      settings.egiszMode === 'off' || (await egiszConnection(app)) !== undefined || settings.egiszOid === '',
      settings.egiszMode === 'simulator' ? 'На сервере не задан адрес имитатора (EGISZ_URL)' : 'Впишите адрес шлюза',
      settingsPage,
    ],
    [settings.egiszCallbackToken, 'Задайте ключ, с которым РЭМД присылает ответы', settingsPage],
    [settings.egiszSend, 'Включите отправку документов', settingsPage],
    [kinds !== undefined, 'Выберите виды документов, которые клиника отправляет', '/settings/egisz-documents'],
    [signing.isSet, signing.words, '/crypto'],
  ]
  const steps = wanted.filter(([isDone]) => !isDone).map(([, words, link]) => ({ words, link }))
  return {
    isSet: steps.length === 0,
    words:
      settings.egiszMode === 'off'
        ? 'ЕГИСЗ не подключена: документы собираются и проверяются, но в РЭМД не уходят'
        : steps.length > 0
          ? 'ЕГИСЗ подключена не до конца'
          : `ЕГИСЗ подключена, режим «${egiszModes[settings.egiszMode].toLowerCase()}»`,
    steps,
  }
})
