/** Facts of the report on examinations. */
import { examinationsReport } from '@ordinator/model/areas/examinations/reports'
import sql from 'sql-template-tag'
import { reportSource } from '#records/reports/source.ts'

export const examinationFacts = reportSource(
  examinationsReport,
  ({ within }) => sql`
    select e."date" as "day", a."idFilial" as "filial", e."id" as "examination", e."idTemplate" as "template",
      e."idCustomer" as "customer", e."idUser" as "doctor", e."status", e."code", e."diagnosis", e."dateSigned" as "signed",
      d."dateSent" as "sent", d."dateSent" is not null as "isSent", e."filled", e."status" in ('done', 'signed') as "isDone", e."status" = 'signed' as "isSigned",
      e."status" in ('draft', 'done') and coalesce(e."dateDone", e."dateCreate") < now() - interval '24 hours' as "isLate",
      e."code" is not null as "isCoded"
    from examinations e left join appointments a on a."id" = e."idAppointment"
      left join lateral (select max(s."dateSent") as "dateSent" from egisz_semds s
        where s."idExamination" = e."id" and not s."deleted") d on true
    where not e."deleted" and e."status" <> 'corrected' and ${within(sql`e."date"`)}`,
)
