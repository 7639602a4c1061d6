/** The catalogue of reports and one of them. */
import { expect } from 'playwright/test'
import { button, dialog, type State } from './common.ts'

export const reports = {
  reports: [
    {},
    { name: 'report', at: () => '/app/reports?tab=payments' },
    {
      name: 'по почте',
      at: () => '/app/reports?tab=payments',
      async open(page) {
        await button(page, 'Прислать по почте').click()
        await expect(dialog(page, 'Прислать по почте').getByLabel('Как часто')).toBeVisible()
      },
    },
  ],
  reportRollups: [{}],
} satisfies Record<string, readonly State[]>
