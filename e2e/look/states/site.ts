/** The clinic's site: pages of its editors. */
import type { PageKey } from '@ordinator/model/pages'
import { expect } from 'playwright/test'
import { registryOfChoice, type State, tab } from './common.ts'

const page = ({ clientPage: id }: { clientPage: number }) => `/app/settings/client/pages/${id}`

export const site = {
  clientPage: [
    { at: page },
    {
      name: 'открытый блок',
      at: page,
      async open(at) {
        await at.getByRole('button', { name: 'Вопросы и ответы' }).first().click()
        await expect(at.getByRole('textbox', { name: 'Вопрос' })).toBeVisible()
      },
    },
    {
      name: 'версии',
      at: page,
      async open(at) {
        await tab(at, 'Версии')
        await expect(at.getByRole('list', { name: 'Версии страницы' })).toBeVisible()
      },
    },
  ],
  homePageStructure: [{}],
  clientTheme: [{}],
  clientDocuments: [{}],
  clientPolicy: registryOfChoice,
  clientAcceptances: [{}],
} satisfies Partial<Record<PageKey, readonly State[]>>
