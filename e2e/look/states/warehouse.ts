import { expect } from 'playwright/test'
import { registryOfChoice, type State, shows } from './common.ts'

export const warehouse = {
  warehouse: [{}],
  warehouseGoods: [
    {},
    {
      name: 'карточка товара',
      async open(page) {
        await page
          .getByRole('button', { name: /Бинт стерильный/ })
          .first()
          .click()
        await expect(page.getByRole('heading', { name: 'Движения' })).toBeVisible()
      },
    },
  ],
  // The cursor is in the first field that is empty: the warehouse.
  warehouseDocuments: registryOfChoice,
  warehouseDocument: [{ at: () => '/app/warehouse/documents/1' }],
  inventory: [{}],
  inventoryCount: [
    {
      at: () => '/app/warehouse/inventory',
      async open(page) {
        await page.getByText('Идёт подсчёт').first().click()
        await shows(page, /Подсчитано/)
      },
    },
  ],
  batches: [{}],
  mdlp: [{}, { name: 'коды', at: () => '/app/warehouse/mdlp?tab=codes' }],
  pkuJournal: [{}],
  stockBalance: [{}],
} satisfies Record<string, readonly State[]>
