import { entity, many } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { choice } from '../../fields/choice.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { decimal } from '../../fields/decimal.ts'
import { integer } from '../../fields/integer.ts'
import { list } from '../../fields/list.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { type Permission, permissionLabels } from '../../permissions.ts'

const access = { view: 'editUsers', create: 'editUsers', update: 'editUsers', delete: 'editUsers' } as const

/** A named set of permissions. */
export const Role = entity('roles', {
  label: ['Роль', 'роли', 'ролей'],
  gender: 'f',
  registry: {
    empty: { title: 'Ролей нет', text: 'Роль — набор прав, который выдают сотрудникам.' },
  },
  fields: {
    name: text({ label: 'Название', required: true, max: 64, unique: true, search: true }),
    description: text({ label: 'Описание', max: 500, multiline: true, search: true }),
    permissions: list(permissionLabels, { label: 'Права', default: [] }),
    maxDiscount: decimal({
      label: 'Максимальная скидка сотрудника, %',
      help: 'Пусто — решает другая роль; вручную без предела не дают',
      scale: 2,
      min: 0,
      max: 100,
    }),
    requiresFactor: boolean({
      label: 'Вход со вторым фактором',
      help: 'У кого его ещё нет, подключит при входе: код из приложения или ключ доступа',
      default: false,
    }),
    isSystem: boolean({
      label: 'Системная',
      help: 'Создана вместе с программой, удалить нельзя',
      readonly: true,
      default: false,
    }),
    usersCount: integer({ label: 'Сотрудников', computed: true, required: true }),
    dateCreate: dateTime({ label: 'Создана', auto: 'created' }),
    dateChange: dateTime({ label: 'Изменена', auto: 'changed' }),
  },
  many: { users: many('user-roles', 'idRole') },
  access,
  fresh: { actions: ['create', 'update', 'delete'] },
  kept: ({ isSystem }: { isSystem: boolean }) => (isSystem ? 'Системную роль удалить нельзя' : undefined),
  title: 'name',
  sort: 'name',
})

/** True for a role that works at the desk of a branch: its rights show only the visits and money of the holder's desks. */
export const isDeskRole = (permissions: readonly Permission[]): boolean =>
  (permissions.includes('viewCashDesk') && !permissions.includes('viewAllCashDesks')) ||
  (permissions.includes('editAppointments') && !permissions.includes('viewAllAppointments'))

/** Assignment of a role to a user. */
export const UserRole = entity('user-roles', {
  label: ['Роль сотрудника', 'роли сотрудника', 'ролей сотрудников'],
  fields: {
    idUser: ref('users', { label: 'Сотрудник', as: 'user', required: true, fixed: true, onDelete: 'cascade' }),
    idRole: ref('roles', { label: 'Роль', as: 'role', required: true, fixed: true, onDelete: 'cascade' }),
    dateCreate: dateTime({ label: 'Выдана', auto: 'created' }),
  },
  access,
  fresh: { actions: ['create', 'delete'] },
  unique: [['idUser', 'idRole']],
  sort: 'id',
})

/** A permission of a user in addition to the roles. */
export const UserPermission = entity('user-permissions', {
  label: ['Личное право', 'личных права', 'личных прав'],
  fields: {
    idUser: ref('users', { label: 'Сотрудник', as: 'user', required: true, fixed: true, onDelete: 'cascade' }),
    permission: choice(permissionLabels, { label: 'Право', required: true, fixed: true }),
    reason: text({ label: 'Основание', max: 255 }),
    dateCreate: dateTime({ label: 'Выдано', auto: 'created' }),
  },
  access,
  fresh: { actions: ['create', 'delete'] },
  unique: [['idUser', 'permission']],
  sort: 'id',
})
