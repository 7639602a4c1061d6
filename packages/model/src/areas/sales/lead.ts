import { entity } from '../../entity.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { money } from '../../fields/decimal.ts'
import { position } from '../../fields/position.ts'
import { richText } from '../../fields/richText.ts'
import { text } from '../../fields/text.ts'

/** A deal (spec §3). So far what links and tasks need of it; funnels and stages come with the sales screens. */
export const Lead = entity('sales-management/leads', {
  label: ['Сделка', 'сделки', 'сделок'],
  fields: {
    title: text({ label: 'Название', required: true, max: 255, search: true }),
    description: richText({ label: 'Описание' }),
    order: position({ group: [], start: 'first' }),
    price: money({ label: 'Сумма', min: 0 }),
    dateCreate: dateTime({ label: 'Создана', auto: 'created' }),
    dateChange: dateTime({ label: 'Изменена', auto: 'changed' }),
  },
  access: {
    view: ['viewSalesManagement', 'editSalesManagement'],
    create: 'editSalesManagement',
    update: 'editSalesManagement',
    delete: 'editSalesManagement',
  },
  title: 'title',
  sort: '-dateCreate',
  soft: true,
})
