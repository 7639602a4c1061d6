/** Import of clinical recommendations: a row is a criterion; its recommendation is found by number, or created. */
import { can } from '@ordinator/model/access'
import {
  type ageGroups,
  ClinicalCriterion,
  ClinicalRecommendation,
  type criterionKinds,
} from '@ordinator/model/areas/clinical/clinical'
import sql from 'sql-template-tag'
import { z } from 'zod'
import {
  type Cells,
  type Checked,
  columnsFor,
  type ImportContext,
  type Importer,
  offerImporter,
  rowReader,
} from '#areas/imports/index.ts'
import { forbidden } from '#platform/errors.ts'
import type { AppContext } from '#records/context.ts'

const ofRecommendation = columnsFor(ClinicalRecommendation, [
  { field: 'number', also: ['id', 'номер кр', '№'], examples: ['162_2', '62_3'] },
  {
    field: 'name',
    also: ['наименование', 'клиническая рекомендация'],
    examples: ['Острый бронхит', 'Артериальная гипертензия'],
  },
  { field: 'codes', also: ['мкб', 'коды мкб'], examples: ['J20–J22', 'I10'] },
  { name: 'Возраст', field: 'ageGroup', also: ['возрастная категория'], examples: ['Взрослые', 'Дети'] },
  { name: 'Год', field: 'approvedYear', also: ['год утверждения'], examples: ['2024', '2022'] },
])
const ofCriterion = columnsFor(ClinicalCriterion, [
  {
    field: 'text',
    also: ['критерий качества'],
    examples: ['Выполнен осмотр врача-терапевта', 'Назначен контроль через 4 недели'],
  },
  { field: 'kind', examples: ['Диагностика', 'Лечение'] },
  { field: 'trust', examples: ['A', 'B'] },
  { field: 'proof', examples: ['1', '2'] },
])
const columns = [...ofRecommendation, ...ofCriterion]

interface Values {
  recommendation: {
    number: string
    name: string
    codes: string
    ageGroup: keyof typeof ageGroups
    approvedYear: number | null
  }
  criterion: { text: string; kind: keyof typeof criterionKinds; trust: string | null; proof: string | null }
}

const importClinical: Importer<Record<never, never>, Cells, undefined, Values> = {
  kind: 'clinical',
  label: 'Клинические рекомендации',
  access: 'examinationTemplatesSettings',
  params: z.strictObject({}),
  columns,
  async open({ records }) {
    if (!can(records.actor, 'create', ClinicalRecommendation)) throw forbidden('Вам нельзя менять реестр рекомендаций')
    return undefined
  },
  check,
  write,
}

export const offerClinical = (app: AppContext): void => offerImporter(app, importClinical)

function check(_: undefined, cells: Cells): Checked<Values> {
  const { errors, ...row } = rowReader(columns, cells)
  const recommendation = {
    ...{ number: '', name: '', codes: '', ageGroup: 'all', approvedYear: null },
    ...row.values(ofRecommendation),
  } as Values['recommendation']
  const criterion = {
    ...{ text: '', kind: 'diagnostics', trust: null, proof: null },
    ...row.values(ofCriterion),
  } as Values['criterion']
  row.check(ClinicalRecommendation, recommendation, 'create', 'Критерий')
  row.check(ClinicalCriterion, { ...criterion, idRecommendation: 1 }, 'create', 'Критерий')
  return errors.length ? { errors } : { values: { recommendation, criterion } }
}

async function write({ records, tx }: ImportContext<unknown>, _: undefined, { recommendation, criterion }: Values) {
  const there = await tx.one<{ id: number }>(sql`select "id"::int as id from clinical_recommendations
    where lower("number") = lower(${recommendation.number}) and not "deleted"`)
  const idRecommendation = there?.id ?? (await records.create(ClinicalRecommendation, recommendation)).id
  const same = await tx.one(sql`select 1 from clinical_recommendations_criteria
    where "idRecommendation" = ${idRecommendation} and lower("text") = lower(${criterion.text}) and not "deleted"`)
  const made = there ? [] : [{ path: ClinicalRecommendation.path, id: idRecommendation }]
  if (same) return made
  const { id } = await records.create(ClinicalCriterion, { ...criterion, idRecommendation })
  return [...made, { path: ClinicalCriterion.path, id }]
}
