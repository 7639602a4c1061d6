import { NO_NAME } from '@ordinator/model/areas/staff/names'
import { loginOf, ONLINE_MS, User } from '@ordinator/model/areas/staff/user'
import { isVisible } from '@ordinator/model/entity'
import sql, { raw, type Sql } from 'sql-template-tag'
import { couponCountsSql, isCountedSql, visitIsOpenSql, visitLinesSql } from '#areas/counted/index.ts'
import { endSessions, signal } from '#auth/index.ts'
import { HttpError, ValidationError } from '#platform/errors.ts'
import type { ServerActor } from '#records/actor.ts'
import { records, type WriteContext } from '#records/define.ts'
import { refuseInUse } from '#records/inUse.ts'
import { keepAdmin } from './lastAdmin.ts'

const NONE = raw(`'${NO_NAME}'`)
const word = (row: Sql, field: string) => sql`coalesce(nullif(${row}.${raw(`"${field}"`)}, '') || ' ', '')`
const dotted = (row: Sql, field: string) =>
  sql`coalesce(' ' || upper(left(nullif(${row}.${raw(`"${field}"`)}, ''), 1)) || '.', '')`

/** fioOf of the model, as SQL. */
export const fioSql = (row: Sql) =>
  sql`coalesce(nullif(btrim(${word(row, 'surname')} || ${word(row, 'name')} || ${word(row, 'middleName')}), ''), ${NONE})`

/** shortFioOf of the model, as SQL. */
export const shortFioSql = (row: Sql) =>
  sql`case when coalesce(${row}."surname", '') = '' then ${fioSql(row)} else ${row}."surname" || ${dotted(row, 'name')} || ${dotted(row, 'middleName')} end`

/** Name of a left-joined row: null if the row is missing, instead of «Без имени». */
export const ifFound = (row: Sql, name: (row: Sql) => Sql): Sql =>
  sql`case when ${row}."id" is not null then ${name(row)} end`

/** The login for users with the right to logins, else null: other fields cannot reveal it. */
export const loginSql = (row: Sql, actor: ServerActor) =>
  isVisible(User.fields.login, actor) ? sql`${row}."login"` : raw('null::text')

/** Carries out what follows when an employee stops working or works again: registered by the area of visits. */
type Following = (context: Pick<WriteContext, 'actor' | 'tx' | 'records'>, idUser: number) => Promise<void>
let following: Following | undefined
export const followsWork = (how: Following): void => {
  following = how
}

export const users = records(User, {
  found: {
    on: 'person',
    group: 'Сотрудники',
    by: ['surname', 'name', 'middleName', 'post', 'phone', 'email'],
    opens: ({ row }) => sql`'/profile/' || ${row}."id"`,
    hint: ({ row }) => sql`coalesce(${row}."post", ${row}."phone")`,
  },
  computed: {
    fio: ({ row }) => fioSql(row),
    shortFio: ({ row }) => shortFioSql(row),
    isOnline: ({ row }) =>
      sql`coalesce(not ${row}."deleted" and not ${row}."isBlocked" and ${row}."lastActive" > now() - make_interval(secs => ${raw(String(ONLINE_MS / 1000))}), false)`,
    isActive: ({ row }) => sql`(not ${row}."deleted" and not ${row}."isBlocked")`,
    hash: ({ row }) => sql`md5('users/' || ${row}."id")`,
  },
  hooks: {
    prepare(value, before) {
      const [from, to] = [
        value.certificateFrom ?? before?.certificateFrom,
        value.certificateTo ?? before?.certificateTo,
      ]
      if (from && to && to < from)
        throw new ValidationError([{ field: 'certificateTo', message: 'Сертификат кончается раньше, чем выдан' }])
      const { onlyFilials, filials = [] } = { ...before, ...value }
      if (onlyFilials && filials.length === 0)
        throw new ValidationError([{ field: 'filials', message: 'Укажите филиалы, которые сотрудник будет видеть' }])
    },
    beforeCreate(_context, value) {
      value.login = loginOf(value.login)
    },
    beforeUpdate({ actor }, value, before) {
      if (value.login !== undefined) value.login = loginOf(value.login)
      if (value.isBlocked && !before.isBlocked && before.id === actor.id && !actor.system) {
        throw new HttpError(409, 'Нельзя закрыть вход самому себе', { code: 'self' })
      }
      const field = (['onlyFilials', 'filials'] as const).find(
        (one) => value[one] !== undefined && String(value[one]) !== String(before[one]),
      )
      if (field && before.onlyFilials && before.id === actor.id && !actor.system)
        throw new ValidationError([{ field, message: 'Какие филиалы вы видите, меняет другой сотрудник' }])
    },
    async afterUpdate(context, row, before) {
      if (row.isBlocked && !before.isBlocked) {
        await keepAdmin(context, 'isBlocked')
        await endSessions(context.tx, row.id, 'blocked')
      }
      if (row.isBlocked !== before.isBlocked) await following?.(context, row.id)
      const sees = ({ onlyFilials, filials }: typeof row) => onlyFilials && filials.join()
      if (row.isBlocked !== before.isBlocked || row.timeZone !== before.timeZone || sees(row) !== sees(before))
        await signal(context.tx, { users: [row.id] })
    },
    beforeDelete: ({ tx }, { id }) =>
      refuseInUse(
        tx,
        [
          {
            count: sql`select count(distinct c."idAppointment") from coupons c join appointments a on a."id" = c."idAppointment"
    where c."idUser" = ${id} and c."dateTo" > now() and ${couponCountsSql()} and ${visitIsOpenSql()}`,
            words: ['визит впереди', 'визита впереди', 'визитов впереди'],
          },
          {
            count: sql`select count(distinct t."id") from tasks_management_tasks t
              join tasks_management_executors e on e."idTask" = t."id"
              join tasks_management_members m on m."id" = e."idMember" and m."idUser" = ${id} and not m."deleted"
              where not t."deleted" and not t."isCompleted" and not t."isArchive" and not t."isTemplate"`,
            words: ['открытая задача', 'открытые задачи', 'открытых задач'],
          },
          {
            count: sql`select count(distinct l."id") from sales_management_leads l
              join sales_management_responsible r on r."idLead" = l."id" and r."idUser" = ${id}
              where not l."deleted" and l."dateClosed" is null`,
            words: ['сделка в работе', 'сделки в работе', 'сделок в работе'],
          },
          {
            count: sql`select count(distinct l."idService") from ${visitLinesSql}
              where c."dateTo" > now() and ${isCountedSql} and ${visitIsOpenSql()}
                and exists (select 1 from service_doctors p where p."idService" = l."idService" and p."idUser" = ${id})
                and not exists (select 1 from service_doctors p join users u on u."id" = p."idUser" and not u."deleted"
                  where p."idService" = l."idService" and p."idUser" <> ${id})`,
            words: [
              'записанная услуга, которую больше никто не делает',
              'записанные услуги, которые больше никто не делает',
              'записанных услуг, которые больше никто не делает',
            ],
          },
        ],
        'Сначала передайте дела («Передать дела…» на карточке сотрудника); закрыть вход можно сразу',
      ),
    async afterDelete(context, row) {
      await keepAdmin(context, 'id')
      await endSessions(context.tx, row.id, 'blocked')
      await following?.(context, row.id)
      await signal(context.tx, { users: [row.id] })
    },
  },
})
