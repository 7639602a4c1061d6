import { count, distinct, ratio, report, sum } from '../../report.ts'
import { violationLevels, violationSources, violationStates } from './run.ts'

/** Points of a violation by its level (screens.md §6). */
export const violationWeights = { critical: 5, high: 3, medium: 1 } as const

/** Facts are violations, and finished runs of regulations. Rejected ones count only in their state. */
export const violationsReport = report('reportViolations', {
  group: 'quality',
  hint: 'Баллы: критичное 5, серьёзное 3, среднее 1; снятые не считаются. Доля чистых = завершённые выполнения без нарушений / все завершённые. Удержание — у подтверждённых и устранённых.',
  fields: {
    at: { label: 'Когда', type: 'moment' },
    what: { label: 'Что', labels: { violation: 'Нарушение', run: 'Выполнение' } },
    regulation: { label: 'Регламент', of: 'regulations' },
    step: { label: 'Шаг' },
    user: { label: 'Сотрудник', of: 'users' },
    level: { label: 'Тяжесть', labels: violationLevels, none: 'Выполнения' },
    source: { label: 'Откуда', labels: violationSources, none: 'Выполнения' },
    description: { label: 'Что нарушено' },
    state: { label: 'Состояние', labels: violationStates, none: 'Выполнения' },
    explanation: { label: 'Объяснение' },
    points: { label: 'Баллы', type: 'number' },
    deduction: { label: 'Удержание', type: 'money' },
    isViolation: { label: 'Нарушение', type: 'flag', hidden: true },
    isWaiting: { label: 'Ждёт решения', type: 'flag', hidden: true },
    isConfirmed: { label: 'Подтверждено', type: 'flag', hidden: true },
    isRun: { label: 'Выполнение', type: 'flag', hidden: true },
    isClean: { label: 'Чистое', type: 'flag' },
  },
  by: ['user', 'regulation', 'level', 'source', 'state', 'what'],
  first: ['user'],
  measures: {
    points: sum('Баллов', 'points', 'number', { good: 'down' }),
    violations: count('Нарушений', 'isViolation', { good: 'down' }),
    waiting: count('Ждут решения', 'isWaiting'),
    confirmed: count('Подтверждено', 'isConfirmed', { good: 'down' }),
    deduction: sum('Удержано', 'deduction', 'money', { good: 'down' }),
    runs: count('Выполнений', 'isRun', { good: 'up' }),
    clean: count('Чистых', 'isClean', { good: 'up' }),
    cleanShare: ratio('Доля чистых', ['clean', 'runs'], 'share', { good: 'up' }),
    people: distinct('Сотрудников с выполнениями и нарушениями', 'user'),
  },
  noFilial: true,
})
