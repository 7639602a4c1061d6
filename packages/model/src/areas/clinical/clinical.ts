/**
 * Clinical recommendations (module; screens.md §12): a register with quality criteria, the recommendations chosen in an
 * examination by its diagnosis, and the doctor's answers. Quality criteria: приказ Минздрава № 203н от 14.04.2025.
 */
import { entity, many } from '../../entity.ts'
import { choice } from '../../fields/choice.ts'
import { date } from '../../fields/date.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { integer } from '../../fields/integer.ts'
import { position } from '../../fields/position.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'

export const ageGroups = { all: 'Взрослые и дети', adults: 'Взрослые', children: 'Дети' } as const
export const criterionKinds = { diagnostics: 'Диагностика', treatment: 'Лечение', observation: 'Наблюдение' } as const
export const clinicalResults = { yes: 'Да', no: 'Нет', notApplicable: 'Не применимо' } as const
export type ClinicalResult = keyof typeof clinicalResults

const setup = 'examinationTemplatesSettings'
const access = {
  view: ['viewExaminations', 'viewReportClinicalRecommendations', setup],
  create: setup,
  update: setup,
  delete: setup,
} as const
const answered = {
  view: 'viewExaminations',
  create: 'editExaminations',
  update: 'editExaminations',
  delete: 'editExaminations',
} as const

/** Error of a list of codes; undefined: valid. */
const wrongCodes = (value: string): string | undefined =>
  codesOf(value).every((code) => /^[A-Z]\d{2}(\.\d{1,2})?(-[A-Z]\d{2}(\.\d{1,2})?)?$/.test(code))
    ? undefined
    : 'Пишите коды МКБ-10 через запятую, промежуток — через тире'

const latin: Readonly<Record<string, string>> = {
  А: 'A',
  В: 'B',
  С: 'C',
  Е: 'E',
  Н: 'H',
  К: 'K',
  М: 'M',
  О: 'O',
  Р: 'P',
  Т: 'T',
  Х: 'X',
}

/** Normalizes a typed list of codes and ranges: Latin capitals, a hyphen in ranges. */
export const codesOf = (typed: string): string[] =>
  typed
    .toUpperCase()
    .replace(/[АВСЕНКМОРТХ]/g, (letter) => latin[letter] ?? letter)
    .split(/[,;\n]/)
    .map((code) => code.replace(/\s/g, '').replace(/[–—]/g, '-'))
    .filter(Boolean)

/** True when a list of codes covers the diagnosis: by the code itself, its parent code, or a range of classes. */
export function covers(codes: string, diagnosis: string | null | undefined): boolean {
  if (!diagnosis) return false
  return codesOf(codes).some((code) => {
    const [first = '', last] = code.split('-')
    if (last === undefined) return diagnosis === first || diagnosis.startsWith(`${first}.`)
    // A range of classes includes their subdivisions.
    return diagnosis >= first && diagnosis.slice(0, last.length) <= last
  })
}

export const ClinicalRecommendation = entity('clinical-recommendations', {
  label: ['Клиническая рекомендация', 'клинической рекомендации', 'клинических рекомендаций'],
  gender: 'f',
  registry: {
    columns: ['number', 'name', 'codes', 'ageGroup', 'approvedYear', 'validFrom', 'validTo'],
    form: ['number', 'name', 'codes', 'ageGroup', 'approvedYear', 'validFrom', 'validTo'],
    empty: {
      title: 'Рекомендаций пока нет',
      text: 'Загрузите их из файла вместе с критериями или добавьте по одной: врачи увидят их в осмотре по диагнозу.',
    },
  },
  fields: {
    number: text({ label: 'Номер', required: true, max: 32, search: true, help: 'Как в рубрикаторе Минздрава: 162_2' }),
    name: text({ label: 'Название', required: true, max: 500, search: true }),
    codes: text({
      label: 'МКБ-10',
      required: true,
      max: 1000,
      help: 'Через запятую, можно промежутки: J06, J20–J22',
      rule: wrongCodes,
    }),
    ageGroup: choice(ageGroups, { label: 'Для кого', default: 'all' }),
    approvedYear: integer({ label: 'Год утверждения', min: 1990, max: 2100, plain: true }),
    validFrom: date({ label: 'Действует с' }),
    validTo: date({ label: 'По' }),
    dateCreate: dateTime({ label: 'Добавлена', auto: 'created' }),
  },
  many: { criteria: many('clinical-recommendations/criteria', 'idRecommendation') },
  access,
  unique: [['number']],
  title: 'name',
  sort: 'name,id',
  soft: true,
})

export const ClinicalCriterion = entity('clinical-recommendations/criteria', {
  label: ['Критерий качества', 'критерия качества', 'критериев качества'],
  gender: 'm',
  registry: {
    columns: ['idRecommendation', 'text', 'kind', 'proof', 'trust'],
    form: ['idRecommendation', 'text', 'kind', 'proof', 'trust'],
    empty: { title: 'Критериев пока нет', text: 'По критериям врач отвечает в осмотре: да, нет или не применимо.' },
  },
  fields: {
    idRecommendation: ref('clinical-recommendations', {
      label: 'Рекомендация',
      as: 'recommendation',
      required: true,
      fixed: true,
      onDelete: 'cascade',
    }),
    order: position({ group: ['idRecommendation'], start: 'last' }),
    text: text({ label: 'Критерий', required: true, max: 1000, multiline: true, search: true }),
    kind: choice(criterionKinds, { label: 'Вид', default: 'diagnostics' }),
    /** Levels as written in the recommendation. */
    trust: text({ label: 'УУР', max: 4 }),
    proof: text({ label: 'УДД', max: 4 }),
  },
  access,
  title: 'text',
  sort: 'order,id',
  soft: true,
})

/** A recommendation chosen by the doctor for an examination, with its criteria to answer. */
export const ClinicalChoice = entity('clinical-recommendations/choices', {
  label: ['Выбранная рекомендация', 'выбранной рекомендации', 'выбранных рекомендаций'],
  gender: 'f',
  fields: {
    idExamination: ref('examinations', {
      label: 'Осмотр',
      as: 'examination',
      required: true,
      fixed: true,
      onDelete: 'cascade',
    }),
    idRecommendation: ref('clinical-recommendations', {
      label: 'Рекомендация',
      as: 'recommendation',
      required: true,
      fixed: true,
      onDelete: 'restrict',
      whenDeleted: 'asks',
    }),
    idAuthor: ref('users', { label: 'Кто выбрал', as: 'author', auto: 'actor' }),
    dateCreate: dateTime({ label: 'Выбрана', auto: 'created' }),
  },
  many: { answers: many('clinical-recommendations/answers', 'idChoice') },
  access: answered,
  within: 'idExamination',
  unique: [['idExamination', 'idRecommendation']],
  sort: 'id',
  soft: true,
})

export const ClinicalAnswer = entity('clinical-recommendations/answers', {
  label: ['Ответ по критерию', 'ответа по критерию', 'ответов по критериям'],
  gender: 'm',
  fields: {
    idChoice: ref('clinical-recommendations/choices', {
      label: 'Рекомендация',
      as: 'choice',
      required: true,
      fixed: true,
      onDelete: 'cascade',
    }),
    idCriterion: ref('clinical-recommendations/criteria', {
      label: 'Критерий',
      as: 'criterion',
      required: true,
      fixed: true,
      onDelete: 'restrict',
      whenDeleted: 'asks',
    }),
    result: choice(clinicalResults, { label: 'Выполнен', required: true }),
    reason: text({ label: 'Причина', max: 1000, multiline: true }),
    idAuthor: ref('users', { label: 'Кто ответил', as: 'author', auto: 'actor' }),
    dateCreate: dateTime({ label: 'Когда', auto: 'created' }),
  },
  access: answered,
  within: 'idChoice',
  unique: [['idChoice', 'idCriterion']],
  sort: 'id',
  soft: true,
})

/** Error of an answer without a required reason: a criterion that is not met needs one. */
export const reasonLack = (result: ClinicalResult, reason: string | null | undefined): string | undefined =>
  result !== 'yes' && !reason?.trim() ? 'Напишите причину отступления' : undefined
