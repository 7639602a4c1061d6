/** Sheets, their periods and cared-for persons: scope and rules of changes. */
import { Customer } from '@ordinator/model/areas/customers/customer'
import { MAX_CARED, MAX_PERIODS, stepRefusal } from '@ordinator/model/areas/eln/rules'
import { CaredPerson, NumberRequest, SickLeave, SickNumber, SickPeriod } from '@ordinator/model/areas/eln/sickLeave'
import type { Row } from '@ordinator/model/entity'
import { dayIn } from '@ordinator/model/zone'
import sql, { raw, type Sql } from 'sql-template-tag'
import { atDeskOf } from '#areas/filials/index.ts'
import type { Tx } from '#platform/db.ts'
import { conflict, HttpError, ValidationError } from '#platform/errors.ts'
import { type RowCondition, records, type WriteContext } from '#records/define.ts'
import type { Records } from '#records/records.ts'
import { aloneUntilSql, dateFromSql, dateToSql, daysSql, dueSql, hasChairmanSql, isClosedSql } from './derived.ts'

export type LeaveRow = Row<typeof SickLeave>

const ofDesk = atDeskOf((row) => sql`${row}."idDoctor"`)

/**
 * Scope: own sheets and periods, those of the branches whose desk is the user's, and those of patients booked with the
 * user.
 */
const isOwn: RowCondition = (about) => {
  const { row, me } = about
  return sql`(${row}."idDoctor" = ${me} or ${row}."idAuthor" = ${me} or ${ofDesk(about)}
    or exists (select from eln_periods p where p."idSickLeave" = ${row}."id" and not p."deleted"
      and (p."idDoctor" = ${me} or p."idChairman" = ${me}))
    or exists (select from appointments a join coupons c on c."idAppointment" = a."id"
      where a."idCustomer" = ${row}."idCustomer" and c."idUser" = ${me} and not c."cancelled" and not a."deleted"))`
}

const address = (row: Sql): Sql => sql`'/eln/' || ${row}."id"`

export const sickLeaves = records(SickLeave, {
  scope: { unless: 'viewAllEln', view: isOwn, update: isOwn, create: () => raw('true') },
  awaiting: {
    page: 'sickLeaves',
    of: (me) => ({
      'filter[idDoctor]': me,
      'filter[due][in]': ['overdue', 'today', 'chairman', 'dispute', 'rejected', 'former', 'sign'],
    }),
  },
  found: {
    on: 'sickLeave',
    group: 'Больничные листы',
    by: ['lnCode', 'employer'],
    opens: ({ row }) => address(row),
    hint: ({ row }) => sql`to_char(${dateToSql(row)}, '"по" DD.MM.YYYY')`,
  },
  thread: {
    of: Customer.path,
    kind: 'eln',
    name: 'Больничные листы',
    when: 'dateCreate',
    belongs: ({ row }, id) => sql`${row}."idCustomer" = ${id}`,
    title: ({ row }) => sql`concat_ws(' ', 'Больничный лист', ${row}."lnCode")`,
    hint: ({ row }) =>
      sql`to_char(${dateFromSql(row)}, 'DD.MM.YYYY') || '–' || to_char(${dateToSql(row)}, 'DD.MM.YYYY')`,
    opens: ({ row }) => address(row),
    author: ({ row }) => sql`${row}."idAuthor"`,
  },
  computed: {
    dateFrom: ({ row }) => dateFromSql(row),
    dateTo: ({ row }) => dateToSql(row),
    days: ({ row }) => daysSql(row),
    isClosed: ({ row }) => isClosedSql(row),
    hasChairman: ({ row }) => hasChairmanSql(row),
    aloneUntil: ({ row }) => aloneUntilSql(row),
    due: ({ row }) => dueSql(row),
  },
  hooks: {
    async beforeCreate({ tx, actor }, value) {
      value.dateIssue ??= dayIn(actor.timeZone, Date.now())
      if (value.employer == null) {
        const card = await tx.one<{ work: string | null }>(
          sql`select "work" from customers where "id" = ${value.idCustomer}`,
        )
        value.employer = card?.work ?? null
      }
    },
    beforeUpdate({ actor }, value, before) {
      if (actor.system || Object.keys(value).every((field) => ['idFilial', '_version'].includes(field))) return
      assertStep('change', before)
      backToDraft(value, before)
    },
  },
})

/** @throws HttpError 409 */
export function assertStep(step: Parameters<typeof stepRefusal>[0], leave: LeaveRow): void {
  const refused = stepRefusal(step, leave)
  if (refused) throw new HttpError(409, refused, { code: 'transition' })
}

/** Any change invalidates signatures and results. Clients cannot set the state. */
function backToDraft(value: object, { localStatus }: Pick<LeaveRow, 'localStatus'>): void {
  if (localStatus !== 'draft') Object.assign(value, { localStatus: 'draft', signsLeft: 0 })
}

/** A sheet in the actor's scope, locked until the transaction ends. @throws HttpError 409 `stale` */
export async function lockedLeave(records: Records, tx: Tx, id: number, version?: number): Promise<LeaveRow> {
  await tx.query(sql`select 1 from eln where "id" = ${id} for update`)
  const leave = await records.row(SickLeave, id)
  if (version !== undefined && version !== leave._version) throw conflict(leave)
  return leave
}

/** The sheet whose parts are written. */
async function heldFor({ tx, records: all, actor }: WriteContext, idSickLeave: number): Promise<LeaveRow> {
  await tx.query(sql`select 1 from eln where "id" = ${idSickLeave} for update`)
  const leave = await all.asSystem.row(SickLeave, idSickLeave)
  if (!actor.system) assertStep('change', leave)
  return leave
}

/** A change of any part increments the version of the sheet. */
async function touch({ records: all, actor }: WriteContext, idSickLeave: number): Promise<void> {
  if (actor.system) return
  const leave = await all.asSystem.row(SickLeave, idSickLeave)
  const value = {}
  backToDraft(value, leave)
  if (Object.keys(value).length) await all.asSystem.update(SickLeave, idSickLeave, value)
}

const wrong = (field: string, message: string) => new ValidationError([{ field, message }])

async function refuseMore(tx: Tx, table: Sql, idSickLeave: number, most: number, words: string): Promise<void> {
  const found = await tx.one<{ count: number }>(
    sql`select count(*)::int as count from ${table} where "idSickLeave" = ${idSickLeave} and not "deleted"`,
  )
  if ((found?.count ?? 0) >= most) throw wrong('idSickLeave', words)
}

interface Part {
  idSickLeave: number
}

/** Hooks of every part of a sheet: only a sheet that may change, whose version counts their changes too. */
const ofSheet = {
  beforeDelete: async (context: WriteContext, { idSickLeave }: Part) => void (await heldFor(context, idSickLeave)),
  afterCreate: (context: WriteContext, { idSickLeave }: Part) => touch(context, idSickLeave),
  afterUpdate: (context: WriteContext, { idSickLeave }: Part) => touch(context, idSickLeave),
  afterDelete: (context: WriteContext, { idSickLeave }: Part) => touch(context, idSickLeave),
  async afterRestore(context: WriteContext, { idSickLeave }: Part) {
    await heldFor(context, idSickLeave)
    await touch(context, idSickLeave)
  },
}

export const sickPeriods = records(SickPeriod, {
  hooks: {
    prepare(value, before) {
      const { dateFrom, dateTo } = { ...before, ...value }
      if (dateFrom && dateTo && dateTo < dateFrom) throw wrong('dateTo', 'Период кончается раньше, чем начинается')
    },
    async beforeCreate(context, value) {
      const leave = await heldFor(context, value.idSickLeave)
      if (leave.isClosed && !context.actor.system) throw wrong('idSickLeave', 'Лист закрыт: новый период не добавить')
      await refuseMore(
        context.tx,
        sql`eln_periods`,
        value.idSickLeave,
        MAX_PERIODS,
        'На листке не больше трёх периодов: закройте его с кодом 31 и выдайте продолжение',
      )
      value.post ??= await postOf(context.tx, value.idDoctor)
    },
    async beforeUpdate(context, value, before) {
      await heldFor(context, before.idSickLeave)
      if (before.isAccepted && !context.actor.system)
        throw new HttpError(409, 'Период принят СФР: его исправляют дубликатом листа', { code: 'accepted' })
      if (value.idDoctor !== undefined && value.idDoctor !== before.idDoctor && value.post === undefined)
        value.post = await postOf(context.tx, value.idDoctor)
    },
    ...ofSheet,
  },
})

const postOf = async (tx: Tx, idUser: number): Promise<string | null> =>
  (await tx.one<{ post: string | null }>(sql`select "post" from users where "id" = ${idUser}`))?.post ?? null

export const caredPeople = records(CaredPerson, {
  hooks: {
    async beforeCreate(context, { idSickLeave }) {
      await heldFor(context, idSickLeave)
      await refuseMore(context.tx, sql`eln_care`, idSickLeave, MAX_CARED, `На листке не больше ${MAX_CARED} человек`)
    },
    beforeUpdate: async (context, _, { idSickLeave }) => void (await heldFor(context, idSickLeave)),
    ...ofSheet,
  },
})

export const sickNumbers = records(SickNumber)
export const numberRequests = records(NumberRequest)
