import {
  Examination,
  ExaminationAttachment,
  ExaminationFile,
  examinationStatuses,
} from '@ordinator/model/areas/examinations/examination'
import { type ExaminationForm, readyForm } from '@ordinator/model/areas/examinations/form'
import { defaultsOf, filledPercent } from '@ordinator/model/areas/examinations/formValues'
import { dayIn } from '@ordinator/model/zone'
import sql, { raw } from 'sql-template-tag'
import { fileRecords } from '#areas/files/index.ts'
import { readCommonSettings } from '#areas/settings/index.ts'
import type { Queryable } from '#platform/db.ts'
import { HttpError, ValidationError } from '#platform/errors.ts'
import { records } from '#records/define.ts'
import { labelSql } from '#records/labels.ts'
import { examinationScope, fileScope } from './scope.ts'

/** Today in the clinic's time zone, YYYY-MM-DD. */
const clinicDay = async (db: Queryable): Promise<string> => dayIn((await readCommonSettings(db)).timeZone, Date.now())

export const examinations = records(Examination, {
  scope: examinationScope,
  found: {
    on: 'examination',
    group: 'Осмотры',
    by: ['name', 'diagnosis'],
    day: 'date',
    opens: ({ row }) => sql`'/examinations/' || ${row}."id"`,
    hint: ({ row }) => sql`concat_ws(' · ', to_char(${row}."date", 'DD.MM.YYYY'), ${row}."diagnosis")`,
  },
  thread: {
    of: 'customers',
    kind: 'examinations',
    name: 'Осмотры',
    when: 'dateCreate',
    belongs: ({ row }, id) => sql`${row}."idCustomer" = ${id}`,
    title: ({ row }) => sql`${row}."name"`,
    hint: ({ row }) =>
      sql`concat_ws(' · ', ${labelSql(sql`${row}."status"`, examinationStatuses)}, ${row}."diagnosis")`,
    opens: ({ row }) => sql`'/examinations/' || ${row}."id"`,
    author: ({ row }) => sql`${row}."idUser"`,
  },
  computed: {
    form: ({ row }) => sql`(select v."form" from examination_templates_versions v where v."id" = ${row}."idVersion")`,
  },
  hooks: {
    async beforeCreate({ tx }, value) {
      // A correction brings all fields itself.
      if (Object.hasOwn(value, 'idVersion')) return
      const of = await tx.one<{ name: string; active: boolean; idVersion: number; form: ExaminationForm }>(sql`
        select t."name", t."active", v."id"::int as "idVersion", v."form" from examination_templates t
        join examination_templates_versions v on v."idTemplate" = t."id" and v."number" = t."version"
        where t."id" = ${value.idTemplate} and not t."deleted"`)
      if (!of) throw new ValidationError([{ field: 'idTemplate', message: 'Запись не найдена' }])
      if (!of.active)
        throw new ValidationError([{ field: 'idTemplate', message: 'Шаблон не действует: выберите другой' }])
      if (value.idAppointment) {
        const visit = await tx.one<{ idCustomer: number }>(
          sql`select "idCustomer"::int as "idCustomer" from appointments where "id" = ${value.idAppointment}`,
        )
        if (visit?.idCustomer !== value.idCustomer)
          throw new ValidationError([{ field: 'idAppointment', message: 'Это запись другого клиента' }])
      }
      const ready = readyForm(of.form)
      const values = defaultsOf(ready)
      // Clients cannot set these.
      Object.assign(value, {
        name: of.name,
        idVersion: of.idVersion,
        date: await clinicDay(tx),
        values,
        diagnoses: [],
        prescriptions: [],
        recommendations: [],
        filled: filledPercent(ready, values),
        ...value,
      })
    },
  },
})

export const examinationFiles = fileRecords(ExaminationFile, fileScope)

/** A signed examination keeps its files. */
export const attachments = records(ExaminationAttachment, {
  hooks: {
    beforeCreate: ({ tx }, { idExamination }) => mustBeOpen(tx, idExamination),
    beforeDelete: ({ tx }, { idExamination }) => mustBeOpen(tx, idExamination),
  },
})

async function mustBeOpen(tx: Queryable, id: number): Promise<void> {
  const found = await tx.one<{ status: string }>(
    sql`select "status" from examinations where "id" = ${id} ${raw('for share')}`,
  )
  if (found && found.status !== 'draft')
    throw new HttpError(409, 'Файлы меняют у черновика: верните осмотр в работу или исправьте его новой версией', {
      code: 'status',
    })
}
