import { Call } from '@ordinator/model/areas/calls/call'
import { choice } from '#records/filters/choice.tsx'
import { filters } from '#records/filters/filters.ts'
import { flag } from '#records/filters/flag.tsx'
import { period } from '#records/filters/period.tsx'
import { refs } from '#records/filters/ref.tsx'

const kinds = { in: 'Входящие', out: 'Исходящие', missed: 'Пропущенные', inner: 'Внутренние', recalled: 'Перезвонили' }

export const callFilters = filters(Call, {
  type: choice('callType', {
    options: kinds,
    values: { in: 1, out: 2, missed: 3, inner: 4, recalled: 5 },
    any: 'Любой вид',
  }),
  made: period('dateCreate', { label: 'Звонки' }),
  user: refs('idUser', { label: 'Сотрудник', any: 'Любой сотрудник' }),
  waits: flag('Ждут звонка', { recall: true }, { panel: 'Только те, кому нужно перезвонить', toggle: true }),
  unsaid: flag('Без итога', { needsEnd: true }, { panel: 'Только те, где итог ещё не указан' }),
})
