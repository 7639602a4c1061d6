import { count, ratio, report, sum } from '../../report.ts'
import { reviewSites, reviewStates } from './review.ts'

/** Reviews by site, branch and doctor, and how soon the clinic answers. */
export const reviewsReport = report('reportReviews', {
  group: 'quality',
  hint: 'Отзывы в дне, когда их написали. Оценка приведена к десяти: у карт, где их пять, она удвоена. Время — от отзыва до ответа.',
  fields: {
    at: { label: 'Когда', type: 'moment' },
    site: { label: 'Откуда', labels: reviewSites },
    doctor: { label: 'О ком', of: 'users', none: 'О клинике' },
    score: { label: 'Оценка из десяти', type: 'number' },
    state: { label: 'Состояние', labels: reviewStates },
    hours: { label: 'До ответа, ч', type: 'number' },
    text: { label: 'Отзыв' },
    review: { label: 'Отзыв №', type: 'number' },
    isAnswered: { label: 'Отвечен', type: 'flag', hidden: true },
    isScored: { label: 'С оценкой', type: 'flag', hidden: true },
  },
  by: ['site', 'doctor', 'state'],
  first: ['site'],
  measures: {
    reviews: count('Отзывов'),
    mean: ratio('Средняя оценка отзывов', ['points', 'scored'], 'number', { good: 'up' }),
    answered: count('С ответом', 'isAnswered', { good: 'up' }),
    share: ratio('Доля с ответом', ['answered', 'reviews'], 'share', { good: 'up' }),
    wait: ratio('До ответа, ч', ['hours', 'answered'], 'number', { good: 'down' }),
    points: sum('Баллов', 'score', 'number', { part: true }),
    scored: count('С оценкой', 'isScored', { part: true }),
    hours: sum('Часов до ответа', 'hours', 'number', { part: true }),
  },
  opens: { page: 'reviews', id: 'review', as: 'open' },
})
