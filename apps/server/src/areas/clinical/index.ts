import {
  ClinicalAnswer,
  ClinicalChoice,
  ClinicalCriterion,
  ClinicalRecommendation,
} from '@ordinator/model/areas/clinical/clinical'
import sql, { raw } from 'sql-template-tag'
import type { Area } from '#records/area.ts'
import { offerClinical } from './importClinical.ts'
import { clinicalRecords } from './records.ts'
import { clinicalReports } from './reports.ts'

/** Clinical recommendations: their register, the doctors' selections, and compliance. */
export const clinical: Area = {
  name: 'clinical',
  title: 'Клинические рекомендации',
  records: clinicalRecords,
  reports: clinicalReports,
  start: offerClinical,
  /** Three recommendations; half of the examinations with them are answered. */
  async demo({ asSystem }) {
    const pastHooks = { pastHooks: 'Answers of the demo clinic have their reasons' }
    for (const { criteria, ...one } of demoRecommendations) {
      const { id: idRecommendation } = await asSystem.create(ClinicalRecommendation, one)
      for (const [text, kind, trust, proof] of criteria)
        await asSystem.create(ClinicalCriterion, { idRecommendation, text, kind, trust, proof })
      const [first] = one.codes.split(/[,–]/)
      await asSystem.createFrom(
        ClinicalChoice,
        sql`examinations e where e."code" like ${`${first?.slice(0, 3)}%`} and e."id" % 4 <> 0 and not e."deleted" order by e."id"`,
        {
          idExamination: raw('e."id"'),
          idRecommendation,
          idAuthor: raw('e."idUser"'),
          dateCreate: raw('e."dateCreate"'),
        },
        pastHooks,
      )
    }
    await asSystem.createFrom(
      ClinicalAnswer,
      sql`clinical_recommendations_choices c join clinical_recommendations_criteria k on k."idRecommendation" = c."idRecommendation"
        cross join lateral (select (hashint8(c."id" * 13 + k."id") & 2147483647) % 10 as luck) x order by c."id", k."id"`,
      {
        idChoice: raw('c."id"'),
        idCriterion: raw('k."id"'),
        result: raw(`case when x.luck < 8 then 'yes' when x.luck = 8 then 'no' else 'notApplicable' end`),
        reason: raw(`case when x.luck = 8 then 'Пациент отказался' when x.luck = 9 then 'Нет показаний' end`),
        idAuthor: raw('c."idAuthor"'),
        dateCreate: raw('c."dateCreate"'),
      },
      pastHooks,
    )
  },
}

const demoRecommendations = [
  {
    number: '62_3',
    name: 'Артериальная гипертензия у взрослых',
    codes: 'I10–I13',
    ageGroup: 'adults',
    approvedYear: 2024,
    criteria: [
      ['Измерено артериальное давление на обеих руках', 'diagnostics', 'A', '1'],
      ['Выполнена электрокардиография в 12 отведениях', 'diagnostics', 'B', '3'],
      ['Назначена комбинированная антигипертензивная терапия', 'treatment', 'A', '1'],
      ['Назначен контроль через 4 недели', 'observation', 'C', '5'],
    ],
  },
  {
    number: '724_2',
    name: 'Острые респираторные вирусные инфекции у взрослых',
    codes: 'J00–J06',
    ageGroup: 'adults',
    approvedYear: 2022,
    criteria: [
      ['Выполнен осмотр с измерением температуры, ЧДД и сатурации', 'diagnostics', 'C', '5'],
      ['Антибиотик назначен только при бактериальном осложнении', 'treatment', 'A', '1'],
      ['Даны рекомендации по режиму и питью', 'treatment', 'C', '5'],
    ],
  },
  {
    number: '290_2',
    name: 'Сахарный диабет 2 типа у взрослых',
    codes: 'E11',
    ageGroup: 'adults',
    approvedYear: 2022,
    criteria: [
      ['Определён гликированный гемоглобин', 'diagnostics', 'A', '1'],
      ['Осмотрены стопы', 'diagnostics', 'B', '2'],
      ['Установлен целевой уровень HbA1c', 'treatment', 'C', '5'],
    ],
  },
] as const
