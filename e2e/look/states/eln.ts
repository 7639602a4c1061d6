/** The exchanges with the state: sick leaves, attachment, documents and signatures. */
import { expect } from 'playwright/test'
import { button, dialog, type State, shows } from './common.ts'

/** Shown to users without access to the record. */
const NOBODY = /запись не найдена/

export const eln = {
  sickLeaves: [
    {},
    {
      name: 'новый лист',
      async open(page) {
        await button(page, 'Новый больничный лист').first().click()
        await expect(dialog(page, 'Новый больничный лист').getByLabel('Место работы')).toBeVisible()
      },
    },
  ],
  sickLeave: [{ at: () => '/app/eln/1', open: (page) => shows(page, new RegExp(`Периоды|${NOBODY.source}`)) }],
  elnNumbers: [
    {},
    {
      name: 'запрос номеров',
      async open(page) {
        await button(page, 'Запросить номера').click()
        await expect(dialog(page, 'Запросить номера у СФР').getByLabel('Сколько')).toBeVisible()
      },
    },
  ],
  elnSettings: [{}],
  attachmentApplication: [
    {
      at: () => '/app/attachment-application/1',
      open: (page) => shows(page, new RegExp(`Проверки|${NOBODY.source}`)),
    },
  ],
  snilsQueries: [{}],
  // Documents, their operations, messages, events, and certificates are created by actions, never by hand.
  semds: [
    {},
    {
      name: 'справка для налоговой',
      async open(page) {
        await button(page, 'Справка для налоговой').click()
        await expect(dialog(page, 'Справка об оплате для налоговой').getByLabel('ИНН налогоплательщика')).toBeVisible()
      },
    },
  ],
  egiszOperations: [{}],
  egiszMessages: [{}],
  egiszEvents: [{}],
  crypto: [{}],
} satisfies Record<string, readonly State[]>
