import { entity } from '../../entity.ts'
import { choice } from '../../fields/choice.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { integer } from '../../fields/integer.ts'
import { json } from '../../fields/json.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'

export const importStates = {
  running: 'Идёт',
  done: 'Завершён',
  failed: 'Прерван ошибкой',
  cancelled: 'Остановлен',
  reverting: 'Отменяется',
  reverted: 'Отменён',
} as const

/** One run of an import; its records can be reverted together. */
export const Import = entity('imports', {
  label: ['Импорт', 'импорта', 'импортов'],
  fields: {
    /** Id of the area's importer: `tasks`, `trello`. */
    kind: text({ label: 'Что', required: true, readonly: true, max: 64 }),
    fileName: text({ label: 'Файл', required: true, readonly: true, max: 255 }),
    params: json()({ label: 'Настройки', readonly: true }),
    state: choice(importStates, { label: 'Состояние', readonly: true, default: 'running' }),
    total: integer({ label: 'Строк', readonly: true, default: 0 }),
    done: integer({ label: 'Обработано', readonly: true, default: 0 }),
    created: integer({ label: 'Создано', readonly: true, default: 0 }),
    failed: integer({ label: 'Строк с ошибками', readonly: true, default: 0 }),
    /** Why it stopped. */
    message: text({ label: 'Причина', readonly: true, max: 1000 }),
    idUser: ref('users', { label: 'Кто', as: 'user', auto: 'actor' }),
    dateCreate: dateTime({ label: 'Начат', auto: 'created' }),
    dateEnd: dateTime({ label: 'Окончен', readonly: true }),
  },
  access: { view: 'signed-in' },
  rule: (actor, _action, record: { idUser: number }) => record.idUser === actor.id,
  title: 'fileName',
  sort: '-id',
  soft: true,
})
