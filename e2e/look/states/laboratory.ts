import { expect } from 'playwright/test'
import { button, dialog, type State, shows } from './common.ts'

/** The laboratory: the demo has orders, tubes, values and controls in every state. */
export const laboratory = {
  laboratory: [{ open: (page) => shows(page, 'По лабораториям') }],
  // A new order is made on a page of its own.
  labOrders: [{}],
  labKdl: [{}],
  newLabOrder: [
    { open: (page) => shows(page, 'Панели') },
    {
      name: 'поиск',
      async open(page) {
        await page.getByRole('searchbox', { name: 'Поиск исследования' }).fill('глюкоза')
        await expect(button(page, /Глюкоза/).first()).toBeVisible()
      },
    },
  ],
  labOrder: [
    {
      at: ({ labOrder }) => `/app/laboratory/orders/${labOrder}`,
      open: (page) => expect(page.getByText(/Сумма|запись не найдена/).first()).toBeVisible(),
    },
  ],
  labSamples: [{ open: (page) => shows(page, /Ждут/) }],
  labResults: [{ open: (page) => expect(page.getByText(/Пациент|Работы нет/).first()).toBeVisible() }],
  labDevices: [{ open: (page) => shows(page, /Не разобрано|Анализаторов пока нет|Порт/) }],
  labQuality: [
    { open: (page) => shows(page, /Измерения и примечания/) },
    {
      name: 'измерение',
      async open(page) {
        await button(page, 'Записать измерение').click()
        await expect(dialog(page, 'Измерение контроля')).toBeVisible()
      },
    },
  ],
} as const satisfies Record<string, readonly State[]>
