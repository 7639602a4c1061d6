import { entity } from '../../entity.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { integer } from '../../fields/integer.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'

/** A notification of a user. The server writes it; the user marks it read or deletes it. */
export const Notification = entity('notifications', {
  label: ['Уведомление', 'уведомления', 'уведомлений'],
  fields: {
    idUser: ref('users', { label: 'Кому', as: 'user', required: true, readonly: true, onDelete: 'cascade' }),
    /** Kind of event, in the area's terms: `task.assigned`. */
    kind: text({ label: 'Вид', required: true, readonly: true, max: 64 }),
    title: text({ label: 'Заголовок', required: true, readonly: true, max: 255 }),
    text: text({ label: 'Текст', readonly: true, max: 1000 }),
    /** Path of the entity, and the record. */
    path: text({ label: 'Раздел', readonly: true, max: 128 }),
    idEntity: integer({ label: 'Запись', readonly: true }),
    /** Target of a click, under /app: `/tasks?board=1&assignedColumn=2`. */
    link: text({ label: 'Ссылка', readonly: true, max: 500 }),
    idActor: ref('users', { label: 'От кого', as: 'actor', readonly: true, onDelete: 'set null' }),
    dateCreate: dateTime({ label: 'Время', auto: 'created' }),
    dateRead: dateTime({ label: 'Прочитано' }),
    dateMailed: dateTime({ label: 'Отправлено на почту', readonly: true }),
  },
  access: { view: 'signed-in', update: 'signed-in', delete: 'signed-in' },
  rule: (actor, _action, record: { idUser: number }) => record.idUser === actor.id,
  title: 'title',
  sort: '-id',
  soft: true,
})
