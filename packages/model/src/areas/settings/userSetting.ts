import { entity } from '../../entity.ts'
import { json } from '../../fields/json.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'

/**
 * One named setting of the user (spec §3). The specification's three groups are the rows `main`, `notifications` and
 * `examinationDictionaries`; screens store theirs (columns, saved views) under other names.
 */
export const UserSetting = entity('user-settings', {
  label: ['Настройка', 'настройки', 'настроек'],
  fields: {
    name: text({ label: 'Название', required: true, max: 128 }),
    value: json()({ label: 'Значение', required: true }),
    idUser: ref('users', { label: 'Сотрудник', as: 'user', auto: 'actor', onDelete: 'cascade' }),
  },
  access: { view: 'signed-in', create: 'signed-in', update: 'signed-in', delete: 'signed-in' },
  rule: (actor, _action, record: { idUser: number }) => record.idUser === actor.id,
  unique: [['idUser', 'name']],
  soft: true,
  sort: 'name',
})
