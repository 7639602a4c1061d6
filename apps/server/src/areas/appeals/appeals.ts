import {
  Appeal,
  AppealCause,
  AppealLink,
  type AppealSource,
  AppealTag,
  appealSources,
  appealStatuses,
  outcomes,
} from '@ordinator/model/areas/appeals/appeal'
import { Outcome } from '@ordinator/model/areas/appeals/outcome'
import { Call } from '@ordinator/model/areas/calls/call'
import { LiveAssist } from '@ordinator/model/areas/chats/liveAssist'
import { Lead } from '@ordinator/model/areas/sales/lead'
import { Task } from '@ordinator/model/areas/tasks/task'
import { Appointment } from '@ordinator/model/areas/visits/visit'
import type { Create, Row, Update } from '@ordinator/model/entity'
import { phoneOf } from '@ordinator/model/phone'
import sql, { raw } from 'sql-template-tag'
import { checkReferrer } from '#areas/referrers/index.ts'
import { fioSql } from '#areas/staff/index.ts'
import type { Tx } from '#platform/db.ts'
import { ValidationError } from '#platform/errors.ts'
import { records, type WriteContext } from '#records/define.ts'
import { labelSql } from '#records/labels.ts'
import type { Records } from '#records/records.ts'
import { assertVisible } from '#records/reference.ts'

/** Days within which an appeal of the same patient with the same cause continues the previous one. */
const THREAD_DAYS = 7

type Appealed = Row<typeof Appeal>

export const appealRecords = records(Appeal, {
  found: {
    on: 'appeal',
    group: 'Обращения',
    by: ['description', 'customerFullName', 'customerPhone'],
    day: 'dateStart',
    opens: ({ row }) => sql`'/journal/appeals/' || ${row}."id"`,
    hint: ({ row }) =>
      sql`concat_ws(', ', ${labelSql(sql`${row}."status"`, appealStatuses)}, ${row}."customerFullName")`,
  },
  thread: {
    of: 'customers',
    kind: 'appeals',
    name: 'Обращения',
    when: 'dateStart',
    belongs: ({ row }, id) => sql`${row}."idCustomer" = ${id}`,
    title: ({ row }) => sql`coalesce(nullif(left(${row}."description", 120), ''), 'Обращение')`,
    hint: ({ row }) => sql`concat_ws(', ', ${labelSql(sql`${row}."entityType"`, appealSources)},
      coalesce(${labelSql(sql`${row}."outcome"`, outcomes)}, ${labelSql(sql`${row}."status"`, appealStatuses)}))`,
    opens: ({ row }) => sql`'/journal/appeals/' || ${row}."id"`,
    author: ({ row }) => sql`${row}."idUser"`,
  },
  awaiting: {
    page: 'appeals',
    of: (me) => ({ 'filter[idOwner]': String(me), 'filter[status][in]': 'draft,open' }),
  },
  hooks: {
    async beforeCreate(context, value) {
      const { records: all, tx, actor } = context
      if (value.entityType && value.idEntity)
        await assertVisible(all, value.entityType === 'call' ? Call : LiveAssist, value.idEntity, 'idEntity')
      else if (value.entityType || value.idEntity)
        throw new ValidationError([{ field: 'idEntity', message: 'Укажите и откуда обращение, и номер' }])
      if (value.entityType && value.idEntity) {
        // Fields of its conversation are defaults.
        const known = await contentOf(all, value.entityType, value.idEntity)
        for (const [field, given] of Object.entries(known))
          if (value[field as keyof typeof known] === undefined) Object.assign(value, { [field]: given })
      }
      if (value.idOwner === undefined && actor.id > 0) value.idOwner = actor.id
      await nameOf(context, value)
      if (value.idReferrer) await checkReferrer(tx, value.idReferrer)
      assertEnd({ ...value } as Appealed)
      Object.assign(value, { idThread: await threadOf(tx, value), ...ended(value.status, null) })
    },
    async afterCreate({ records: all }, appeal) {
      if (appeal.status !== 'draft') await answerFor(all, appeal)
    },
    async beforeUpdate(context, value, before) {
      const { tx } = context
      const after = { ...before, ...value } as Appealed
      if (value.idReferrer && value.idReferrer !== before.idReferrer) await checkReferrer(tx, value.idReferrer)
      if (value.idCustomer !== undefined && value.idCustomer !== before.idCustomer) await nameOf(context, value)
      assertEnd(after)
      if (value.idCustomer !== undefined || value.idCause !== undefined)
        Object.assign(value, { idThread: await threadOf(tx, after, before.id) })
      Object.assign(value, ended(value.status, before.dateEnd))
    },
    async afterUpdate({ records: all }, appeal, before) {
      if (before.status === 'draft' && appeal.status !== 'draft') await answerFor(all, appeal)
    },
  },
})

/** The appeal of a call holds its outcome from now on. */
async function answerFor(all: Records, { entityType, idEntity }: Appealed): Promise<void> {
  if (entityType !== 'call' || !idEntity) return
  await all.asSystem.updateWhere(
    Call,
    ({ row }) => sql`${row}."id" = ${idEntity} and ${row}."needsEnd"`,
    { needsEnd: false },
    { pastHooks: 'no number is written' },
  )
}

/** Initial fields of an appeal from its conversation. */
async function contentOf(all: Records, source: AppealSource, id: number): Promise<Partial<Create<typeof Appeal>>> {
  if (source === 'call') {
    const { idCustomer, contactPhone, idFilial } = await all.row(Call, id)
    // A local number stays in the call only.
    return {
      idCustomer,
      customerPhone: contactPhone && phoneOf(contactPhone) === contactPhone ? contactPhone : null,
      idFilial,
    }
  }
  const { idCustomer, phone, idFilial, name } = await all.row(LiveAssist, id)
  return { idCustomer, customerPhone: phone, idFilial, ...(idCustomer === null && { customerFullName: name }) }
}

/** Checks that a closed appeal has an outcome, or a next step with person and date. */
function assertEnd({
  status,
  outcome,
  nextStep,
  dateNextStep,
}: Pick<Appealed, 'status' | 'outcome' | 'nextStep' | 'dateNextStep'>): void {
  if (nextStep && !dateNextStep) throw new ValidationError([{ field: 'dateNextStep', message: 'Когда это сделать?' }])
  if (status === 'closed' && !outcome && !nextStep)
    throw new ValidationError([{ field: 'outcome', message: 'Укажите итог или следующий шаг с датой' }])
}

const ended = (status: string | undefined, before: string | null) =>
  status === undefined ? {} : { dateEnd: status === 'closed' ? (before ?? new Date().toISOString()) : null }

/** Copies the patient's name into the appeal; the number is shown in the card, with the right to it. */
async function nameOf({ tx }: WriteContext, value: Update<typeof Appeal>): Promise<void> {
  if (!value.idCustomer) return
  const card = await tx.one<{ fio: string }>(
    sql`select ${fioSql(raw('c'))} as fio from customers c where c."id" = ${value.idCustomer}`,
  )
  if (card) value.customerFullName = card.fio
}

async function threadOf(
  tx: Tx,
  { idCustomer, idCause }: { idCustomer?: number | null | undefined; idCause?: number | null | undefined },
  except = 0,
): Promise<number | null> {
  if (!idCustomer || !idCause) return null
  const last = await tx.one<{ id: number }>(sql`select coalesce("idThread", "id") as id from appeals
    where "idCustomer" = ${idCustomer} and "idCause" = ${idCause} and "id" <> ${except} and not "deleted"
      and "dateStart" > now() - make_interval(days => ${THREAD_DAYS}) order by "dateStart" desc, "id" desc limit 1`)
  return last?.id ?? null
}

const linked = { tasks: Task, leads: Lead, appointments: Appointment } as const

export const appealLinks = records(AppealLink, {
  hooks: {
    beforeCreate: ({ records: all }, { entityType, idEntity }) =>
      assertVisible(all, linked[entityType], idEntity, 'idEntity'),
    // A visit booked from an appeal is sent by the same referrer, unless somebody has chosen another.
    async afterCreate({ records: all }, { entityType, idAppeal, idEntity }) {
      if (entityType !== 'appointments') return
      const { idReferrer } = await all.asSystem.row(Appeal, idAppeal)
      if (idReferrer === null) return
      const visit = await all.asSystem.row(Appointment, idEntity)
      if (visit.idReferrer === null) await all.asSystem.update(Appointment, idEntity, { idReferrer })
    },
  },
})

export const appealTags = records(AppealTag)
export const appealCauses = records(AppealCause)
export const outcomeRecords = records(Outcome)
