import { count, distinct, ratio, report, sum } from '../../report.ts'
import { examinationStatuses } from './examination.ts'

/** One fact is an examination; a corrected one does not count. */
export const examinationsReport = report('reportExaminations', {
  group: 'quality',
  hint: 'Не подписан вовремя — завершён или начат больше суток назад и не подписан. Исправленные версии не считаются: только та, что действует.',
  fields: {
    examination: { label: 'Осмотр', of: 'examinations' },
    template: { label: 'Шаблон', of: 'examination-templates' },
    customer: { label: 'Пациент', of: 'customers' },
    doctor: { label: 'Врач', of: 'users' },
    status: { label: 'Состояние', labels: examinationStatuses },
    code: { label: 'МКБ-10', none: 'Без диагноза' },
    diagnosis: { label: 'Диагноз' },
    signed: { label: 'Подписан', type: 'moment' },
    sent: { label: 'Отправлен в РЭМД', type: 'moment' },
    filled: { label: 'Заполнено, %', type: 'number' },
    isDone: { label: 'Завершён', type: 'flag', hidden: true },
    isSigned: { label: 'Подписан', type: 'flag', hidden: true },
    isSent: { label: 'В РЭМД', type: 'flag', hidden: true },
    isLate: { label: 'Не подписан больше суток', type: 'flag' },
    isCoded: { label: 'С диагнозом', type: 'flag', hidden: true },
  },
  by: ['doctor', 'template', 'status', 'code'],
  first: ['doctor'],
  measures: {
    total: count('Осмотров'),
    signed: count('Подписано', 'isSigned', { good: 'up' }),
    signedShare: ratio('Доля подписанных', ['signed', 'total'], 'share', { good: 'up' }),
    late: count('Не подписано больше суток', 'isLate', { good: 'down' }),
    sent: count('Отправлено в РЭМД', 'isSent', { good: 'up' }),
    coded: count('С диагнозом', 'isCoded', { good: 'up' }),
    filledSum: sum('Сумма заполненности', 'filled', 'number', { part: true }),
    filled: ratio('Заполнено, % в среднем', ['filledSum', 'total'], 'number', { good: 'up' }),
    patients: distinct('Пациентов с осмотром', 'customer'),
  },
  chart: ['total', 'late'],
  opens: { page: 'examination', id: 'examination' },
  patient: 'customer',
  own: { field: 'doctor', unless: ['viewExaminationsReport'] },
})
