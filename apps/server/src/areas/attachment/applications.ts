/** Applications for attachment and attached people: rules of changes, and due dates. */
import {
  ApplicationFile,
  ApplicationPaper,
  Attachment,
  AttachmentApplication,
} from '@ordinator/model/areas/attachment/application'
import { applicationErrors, areasOf, dueAt, isWaiting, redAt } from '@ordinator/model/areas/attachment/rules'
import { documentNumber } from '@ordinator/model/areas/customers/documents'
import type { Row, Update } from '@ordinator/model/entity'
import { ALWAYS, type WorkingTime } from '@ordinator/model/workingTime'
import { dayIn } from '@ordinator/model/zone'
import sql from 'sql-template-tag'
import { fileRecords } from '#areas/files/index.ts'
import { branchTime, nextNumber, readCalendar } from '#areas/filials/index.ts'
import { readCommonSettings } from '#areas/settings/index.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import { HttpError, ValidationError } from '#platform/errors.ts'
import { records } from '#records/define.ts'
import { readAreas } from './areas.ts'

export type ApplicationRow = Row<typeof AttachmentApplication>

const SEQUENCE = 'attachment'

export const applications = records(AttachmentApplication, {
  awaiting: { page: 'attachment', of: () => ({ 'filter[status][in]': ['new', 'check'] }) },
  found: {
    on: 'attachmentApplication',
    group: 'Заявления о прикреплении',
    by: ['number', 'surname', 'name', 'middleName', 'phone', 'snils', 'enp'],
    opens: ({ row }) => sql`'/attachment-application/' || ${row}."id"`,
  },
  computed: {
    fio: ({ row }) => sql`concat_ws(' ', ${row}."surname", ${row}."name", ${row}."middleName")`,
    isLate: ({ row }) =>
      sql`case when ${row}."status" in ('new', 'check', 'needInfo') and ${row}."dueAt" < now() then 'yes' else 'no' end`,
  },
  hooks: {
    prepare: (value) => tidy(value),
    async beforeCreate({ tx, actor }, value) {
      await assertPerson(tx, value)
      const filled = actor.system ? Object.entries(value).filter(([, one]) => one !== null && one !== undefined) : []
      const submittedAt = new Date().toISOString()
      const term = await termOf(tx, value.idFilial, submittedAt)
      const number = await numberOf(tx, value.idFilial)
      const area = value.idArea ?? (await areaByAddress(tx, { careType: 'therapy', ...value }))
      // Clients cannot set these.
      Object.assign(value, {
        submittedAt,
        ...term,
        ...(number !== null && { number }),
        ...(area && { idArea: area }),
        ...Object.fromEntries(filled),
      })
    },
    async beforeUpdate({ tx, actor }, value, before) {
      if (actor.system) return
      if (
        !isWaiting(before.status) &&
        Object.keys(value).some((field) => !['_version', 'idResponsible'].includes(field))
      )
        throw new HttpError(409, 'По заявлению решено: его данные не меняют', { code: 'transition' })
      await assertPerson(tx, { ...before, ...value })
    },
    async afterCreate({ records: all }, row) {
      // Without a configured numbering its id is the number.
      if (row.number === null) await all.asSystem.update(AttachmentApplication, row.id, { number: String(row.id) })
    },
  },
})

type Values = Update<typeof AttachmentApplication>

function tidy(value: Values): void {
  if (!value.documentNumber) return
  const read = documentNumber(value.documentType ?? 'other', value.documentNumber)
  if (!read.ok) throw new ValidationError([{ field: 'documentNumber', message: read.message }])
  value.documentNumber = read.value
}

async function assertPerson(tx: Tx, { birthday }: Values): Promise<void> {
  const { timeZone } = await readCommonSettings(tx)
  const errors = applicationErrors({ birthday: birthday ?? null }, dayIn(timeZone, Date.now()))
  if (errors.length) throw new ValidationError(errors)
}

/** Working hours of a branch in its time zone; around the clock in the clinic's time zone without hours. */
export async function timeOf(db: Queryable, idFilial: number): Promise<WorkingTime> {
  const time = await branchTime(db, idFilial)
  if (time !== ALWAYS) return time
  const { timeZone } = await readCommonSettings(db)
  return { ...ALWAYS, timeZone }
}

/** The due date of an application filed at this moment, and the moment from which it is urgent. */
export async function termOf(db: Queryable, idFilial: number, at: string): Promise<{ dueAt: string; redAt: string }> {
  const { attachmentDays } = await readCommonSettings(db)
  const time = await timeOf(db, idFilial)
  const calendar = await readCalendar(db, dayIn(time.timeZone, Date.parse(at)))
  const due = dueAt(at, attachmentDays, calendar, time).dueAt
  return { dueAt: due, redAt: redAt(due, at, time) }
}

async function numberOf(tx: Tx, idFilial: number): Promise<string | null> {
  const set = await tx.one(sql`select 1 from sequences where lower("code") = ${SEQUENCE} and not "deleted"`)
  return set ? nextNumber(tx, SEQUENCE, { idFilial }) : null
}

async function areaByAddress(
  tx: Tx,
  { idFilial, careType = 'therapy', street, house }: Pick<Values, 'idFilial' | 'careType' | 'street' | 'house'>,
): Promise<number | undefined> {
  const { attachmentByAddress } = await readCommonSettings(tx)
  if (!attachmentByAddress || !street || idFilial === undefined) return undefined
  return areasOf(await readAreas(tx, idFilial, careType), careType, street, house ?? '')[0]?.id
}

/** A file of an application is visible with the right to applications. */
export const applicationPapers = fileRecords(ApplicationPaper)
/** Files of an applicant are evidence for the decision: removed only by their author, or by an administrator. */
export const applicationFiles = records(ApplicationFile, {
  scope: {
    unless: 'mainSettings',
    delete: ({ row, me }) =>
      sql`exists (select from attachment_files f where f."id" = ${row}."idFile" and f."idUser" = ${me})`,
  },
})

export const attachments = records(Attachment, {
  hooks: {
    prepare(value, before) {
      const { dateFrom, dateTo, endReason } = { ...before, ...value }
      if (dateFrom && dateTo && dateTo < dateFrom)
        throw new ValidationError([{ field: 'dateTo', message: 'Кончается раньше, чем начинается' }])
      if (dateTo && !endReason)
        throw new ValidationError([{ field: 'endReason', message: 'Укажите, почему откреплён' }])
    },
  },
})
