import { entity } from '../../entity.ts'
import { choice } from '../../fields/choice.ts'
import { date } from '../../fields/date.ts'
import { text } from '../../fields/text.ts'
import { dayKinds } from '../../workingTime.ts'
import { filialAccess } from './filial.ts'

/**
 * A day of the production calendar that differs from the Labour Code's default: moved by the government's yearly order.
 * Working-day terms use it (`workingTime.ts`).
 */
export const CalendarDay = entity('calendar-days', {
  label: ['День календаря', 'дня календаря', 'дней календаря'],
  gender: 'm',
  fields: {
    day: date({ label: 'День', required: true, unique: true }),
    kind: choice(dayKinds, { label: 'Какой', default: 'off' }),
    reason: text({ label: 'Основание', max: 200, search: true, help: 'Например: перенос с 3 января' }),
  },
  access: filialAccess,
  registry: {
    columns: ['day', 'kind', 'reason'],
    empty: {
      title: 'Переносов нет',
      text: 'Праздники статьи 112 ТК РФ известны и так: внесите дни, которые на этот год перенесло Правительство.',
    },
  },
  title: 'day',
  sort: '-day',
})
