/** Import of clinical recommendations: a row is a criterion; its recommendation is found by number, or created. */
import { can } from '@ordinator/model/access'
import {
  ageGroups,
  ClinicalCriterion,
  ClinicalRecommendation,
  criterionKinds,
} from '@ordinator/model/areas/clinical/clinical'
import sql from 'sql-template-tag'
import { z } from 'zod'
import {
  type Cells,
  type Checked,
  type ImportContext,
  type Importer,
  type ImporterColumn,
  offerImporter,
  rowReader,
} from '#areas/imports/index.ts'
import { forbidden } from '#platform/errors.ts'
import type { AppContext } from '#records/context.ts'

const columns: readonly ImporterColumn[] = [
  { name: 'Номер', field: 'number', required: true, also: ['id', 'номер кр', '№'], examples: ['162_2', '62_3'] },
  {
    name: 'Название',
    field: 'name',
    required: true,
    also: ['наименование', 'клиническая рекомендация'],
    examples: ['Острый бронхит', 'Артериальная гипертензия'],
  },
  { name: 'МКБ-10', field: 'codes', required: true, also: ['мкб', 'коды мкб'], examples: ['J20–J22', 'I10'] },
  { name: 'Возраст', field: 'ageGroup', also: ['возрастная категория'], examples: ['Взрослые', 'Дети'] },
  { name: 'Год', field: 'approvedYear', also: ['год утверждения'], examples: ['2024', '2022'] },
  {
    name: 'Критерий',
    field: 'text',
    required: true,
    also: ['критерий качества'],
    examples: ['Выполнен осмотр врача-терапевта', 'Назначен контроль через 4 недели'],
  },
  { name: 'Вид', field: 'kind', examples: ['Диагностика', 'Лечение'] },
  { name: 'УУР', field: 'trust', examples: ['A', 'B'] },
  { name: 'УДД', field: 'proof', examples: ['1', '2'] },
]

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
  const { errors, text, chosen, ...row } = rowReader(columns, cells)
  const recommendation = {
    number: text('Номер'),
    name: text('Название'),
    codes: text('МКБ-10'),
    ageGroup: chosen('Возраст', ageGroups) ?? 'all',
    approvedYear: row.number('Год') ?? null,
  }
  const criterion = {
    text: text('Критерий'),
    kind: chosen('Вид', criterionKinds) ?? 'diagnostics',
    trust: text('УУР') || null,
    proof: text('УДД') || null,
  }
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
