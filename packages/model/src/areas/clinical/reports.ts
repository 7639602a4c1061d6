import { count, distinct, ratio, report } from '../../report.ts'
import { clinicalResults } from './clinical.ts'

/** Facts are cases (examinations with a diagnosis) and answers by criteria. */
export const clinicalGeneralReport = report('reportClinicalGeneral', {
  group: 'quality',
  hint: 'Случай — осмотр с диагнозом. Соблюдение = выполнено / (выполнено + не выполнено); «не применимо» не считается.',
  fields: {
    examination: { label: 'Осмотр', of: 'examinations' },
    customer: { label: 'Пациент', of: 'customers' },
    doctor: { label: 'Врач', of: 'users' },
    speciality: { label: 'Специальность', of: 'specialities', none: 'Без специальности' },
    code: { label: 'МКБ-10' },
    recommendation: { label: 'Рекомендация', of: 'clinical-recommendations', none: 'Случаи без рекомендации' },
    result: { label: 'Результат', labels: clinicalResults, none: 'Случай' },
    isCase: { label: 'Случай', type: 'flag', hidden: true },
    isChosen: { label: 'С рекомендацией', type: 'flag', hidden: true },
    isApplicable: { label: 'Применим', type: 'flag', hidden: true },
    isMet: { label: 'Выполнен', type: 'flag', hidden: true },
  },
  by: ['doctor', 'speciality', 'code', 'recommendation'],
  first: ['doctor'],
  measures: {
    cases: count('Случаев', 'isCase'),
    chosen: count('С выбранной КР', 'isChosen', { good: 'up' }),
    share: ratio('Доля с КР', ['chosen', 'cases'], 'share', { good: 'up' }),
    applicable: count('Критериев применимо', 'isApplicable'),
    met: count('Критериев выполнено', 'isMet', { good: 'up' }),
    kept: ratio('Соблюдение', ['met', 'applicable'], 'share', { good: 'up' }),
    patients: distinct('Пациентов со случаями', 'customer'),
  },
  opens: { page: 'examination', id: 'examination' },
  patient: 'customer',
})

/** One fact is an answer by a criterion. */
export const clinicalDetailReport = report('reportClinicalDetail', {
  group: 'quality',
  hint: 'Каждый ответ врача по критерию. Соблюдение = выполнено / (выполнено + не выполнено).',
  fields: {
    examination: { label: 'Осмотр', of: 'examinations' },
    customer: { label: 'Пациент', of: 'customers' },
    code: { label: 'МКБ-10' },
    recommendation: { label: 'Рекомендация', of: 'clinical-recommendations' },
    criterion: { label: 'Критерий', of: 'clinical-recommendations/criteria' },
    result: { label: 'Результат', labels: clinicalResults },
    reason: { label: 'Причина отступления' },
    doctor: { label: 'Врач', of: 'users' },
    isApplicable: { label: 'Применим', type: 'flag', hidden: true },
    isMet: { label: 'Выполнен', type: 'flag', hidden: true },
  },
  by: ['recommendation', 'criterion', 'code', 'result', 'doctor'],
  first: ['recommendation'],
  measures: {
    answers: count('Ответов'),
    applicable: count('Критериев применимо', 'isApplicable', { same: 'clinical-recommendations/general.applicable' }),
    met: count('Критериев выполнено', 'isMet', {
      good: 'up',
      same: 'clinical-recommendations/general.met',
    }),
    kept: ratio('Соблюдение', ['met', 'applicable'], 'share', {
      good: 'up',
      same: 'clinical-recommendations/general.kept',
    }),
  },
  opens: { page: 'examination', id: 'examination' },
  patient: 'customer',
})
