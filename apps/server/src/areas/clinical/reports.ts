/** Facts of the reports on clinical recommendations. A corrected examination does not count. */
import { clinicalDetailReport, clinicalGeneralReport } from '@ordinator/model/areas/clinical/reports'
import sql from 'sql-template-tag'
import { type ReportAsk, reportSource } from '#records/reports/source.ts'

const casesSql = sql`examinations e left join appointments v on v."id" = e."idAppointment"
  left join users u on u."id" = e."idUser"`
const isCaseSql = ({ within }: ReportAsk) => sql`not e."deleted" and e."status" <> 'corrected' and e."code" is not null
  and ${within(sql`e."date"`)}`
const answersSql = sql`join clinical_recommendations_choices c on c."idExamination" = e."id" and not c."deleted"
  join clinical_recommendations_answers a on a."idChoice" = c."id" and not a."deleted"`

const general = reportSource(
  clinicalGeneralReport,
  (ask) => sql`
    select e."date" as "day", v."idFilial" as "filial", e."id" as "examination", e."idCustomer" as "customer", e."idUser" as "doctor",
      u."idSpeciality" as "speciality", e."code", c."idRecommendation" as "recommendation", null::text as "result",
      true as "isCase", c."id" is not null as "isChosen", false as "isApplicable", false as "isMet"
    from ${casesSql} left join lateral (select k."id", k."idRecommendation" from clinical_recommendations_choices k
      where k."idExamination" = e."id" and not k."deleted" order by k."id" limit 1) c on true
    where ${isCaseSql(ask)}
    union all
    select e."date", v."idFilial", e."id", e."idCustomer", e."idUser", u."idSpeciality", e."code", c."idRecommendation", a."result",
      false, false, a."result" <> 'notApplicable', a."result" = 'yes'
    from ${casesSql} ${answersSql} where ${isCaseSql(ask)}`,
)

const detail = reportSource(
  clinicalDetailReport,
  (ask) => sql`
    select e."date" as "day", v."idFilial" as "filial", e."id" as "examination", e."idCustomer" as "customer", e."code",
      c."idRecommendation" as "recommendation", a."idCriterion" as "criterion", a."result", a."reason", e."idUser" as "doctor",
      a."result" <> 'notApplicable' as "isApplicable", a."result" = 'yes' as "isMet"
    from ${casesSql} ${answersSql} where ${isCaseSql(ask)}`,
)

export const clinicalReports = [general, detail] as const
