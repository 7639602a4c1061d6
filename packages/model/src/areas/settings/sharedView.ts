import { holds } from '../../access.ts'
import { entity } from '../../entity.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { json } from '../../fields/json.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'

/** Most shared views of one list for one role. */
export const MAX_SHARED_VIEWS = 30
export const MAX_VIEW_NAME = 64

/**
 * A saved view of a list that its author shares with the holders of a role. The author, and users who may edit roles,
 * change and delete it.
 */
export const SharedView = entity('shared-views', {
  label: ['Общий вид', 'общего вида', 'общих видов'],
  gender: 'm',
  fields: {
    /** The list: `customers`, `payments#desk`. */
    screen: text({ label: 'Список', required: true, max: 128, readonly: true }),
    name: text({ label: 'Название', required: true, max: MAX_VIEW_NAME }),
    /** Search, conditions, order and columns, as in a view of one's own. */
    value: json()({ label: 'Вид', required: true }),
    idRole: ref('roles', { label: 'Роль', as: 'role', required: true, readonly: true, onDelete: 'cascade' }),
    roleName: text({ label: 'Название роли', computed: true, required: true }),
    idUser: ref('users', { label: 'Автор', as: 'user', auto: 'actor', onDelete: 'cascade' }),
    dateChange: dateTime({ label: 'Изменён', auto: 'changed' }),
  },
  access: { view: 'signed-in', update: 'signed-in', delete: 'signed-in' },
  rule: (actor, action, record: { idUser: number }) =>
    action === 'view' || record.idUser === actor.id || holds(actor, 'editUsers'),
  title: 'name',
  sort: 'name',
  soft: true,
})
