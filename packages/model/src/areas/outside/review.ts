import { entity } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { choice } from '../../fields/choice.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { decimal } from '../../fields/decimal.ts'
import { integer } from '../../fields/integer.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { phoneText } from '../../phone.ts'
import { appealAccess } from '../appeals/appeal.ts'
import { settingsAccess } from '../exchange/webhook.ts'

/** Where people write of clinics, and the clinic itself. */
export const reviewSites = {
  yandex: 'Яндекс Карты',
  gis: '2ГИС',
  prodoctorov: 'ПроДокторов',
  napopravku: 'НаПоправку',
  sber: 'СберЗдоровье',
  zoon: 'Zoon',
  vk: 'ВКонтакте',
  other: 'Другая площадка',
  own: 'Вопрос клиники после визита',
} as const
export type ReviewSite = keyof typeof reviewSites

/** Sites that people are sent to; the own question is answered where it is asked. */
const { own: _, ...linkedSites } = reviewSites

export { linkedSites }

/** A page of a branch on a map or an aggregator, shown to everyone after the question about the visit. */
export const ReviewRoute = entity('review-routes', {
  label: ['Страница отзывов', 'страницы отзывов', 'страниц отзывов'],
  gender: 'f',
  registry: {
    columns: ['idFilial', 'site', 'url', 'active'],
    empty: {
      title: 'Страниц отзывов пока нет',
      text: 'Добавьте страницы филиала на картах: пациент увидит их после вопроса о визите, какую бы оценку ни поставил',
    },
  },
  fields: {
    idFilial: ref('filials', { label: 'Филиал', as: 'filial', required: true, whenDeleted: 'asks' }),
    site: choice(linkedSites, { label: 'Где', required: true }),
    url: text({
      label: 'Адрес страницы',
      required: true,
      max: 500,
      sample: (number) => `https://yandex.ru/maps/org/${number}/reviews`,
      rule: (value) => (/^https:\/\/[^\s<>"']+$/.test(value) ? undefined : 'Адрес начинается с https://'),
    }),
    active: boolean({ label: 'Показывать', default: true }),
    dateCreate: dateTime({ label: 'Добавлена', auto: 'created', clock: 'filial.timeZone' }),
  },
  access: settingsAccess,
  title: 'url',
  sort: 'idFilial,id',
  soft: true,
})

export const reviewStates = { new: 'Ждёт ответа', answered: 'Отвечен', left: 'Без ответа' } as const
export type ReviewState = keyof typeof reviewStates

/** A review: a public one, written down by an employee or brought by a file, or an answer to the clinic's question. */
export const Review = entity('reviews', {
  label: ['Отзыв', 'отзыва', 'отзывов'],
  gender: 'm',
  registry: {
    columns: ['dateReview', 'site', 'idFilial', 'score', 'text', 'idDoctor', 'state', 'hoursToAnswer'],
    form: {
      Отзыв: ['site', 'idFilial', 'dateReview', 'author', 'score', 'text', 'idDoctor', 'outerId', 'url'],
      Ответ: ['answer', 'state'],
    },
    empty: {
      title: 'Отзывов пока нет',
      text: 'Ответы на вопрос о визите приходят сами; отзывы с карт внесите или загрузите, чтобы отвечать вовремя',
    },
  },
  fields: {
    site: choice(reviewSites, { label: 'Откуда', required: true }),
    idFilial: ref('filials', { label: 'Филиал', as: 'filial', required: true, whenDeleted: 'stays' }),
    /** Number on the site: brought once. */
    outerId: text({ label: 'Номер на площадке', max: 128 }),
    url: text({ label: 'Ссылка на отзыв', max: 500 }),
    dateReview: dateTime({ label: 'Когда написан', required: true, clock: 'filial.timeZone' }),
    author: text({ label: 'Кто написал', max: 128, search: true }),
    score: integer({ label: 'Оценка', min: 0, max: 10, help: 'На картах — от 1 до 5, на вопрос клиники — от 0 до 10' }),
    text: text({ label: 'Отзыв', max: 5000, multiline: true, search: true }),
    idDoctor: ref('users', { label: 'О ком', as: 'doctor', whenDeleted: 'stays' }),
    answer: text({ label: 'Ответ', max: 5000, multiline: true }),
    state: choice(reviewStates, { label: 'Состояние', default: 'new' }),
    dateAnswered: dateTime({ label: 'Отвечен', readonly: true, clock: 'filial.timeZone' }),
    idAnswered: ref('users', { label: 'Кто ответил', as: 'answered', readonly: true, whenDeleted: 'stays' }),
    hoursToAnswer: decimal({ label: 'До ответа, ч', scale: 1, computed: true }),
    dateCreate: dateTime({ label: 'Внесён', auto: 'created', clock: 'filial.timeZone' }),
    dateChange: dateTime({ label: 'Изменён', auto: 'changed', clock: 'filial.timeZone' }),
  },
  access: appealAccess,
  unique: [['site', 'outerId']],
  title: 'text',
  sort: '-dateReview,-id',
  soft: true,
})

/** Scores from which a review is a good one, and to which it is a bad one; of five on maps, of ten here. */
export const isLow = ({ site, score }: { site: ReviewSite; score: number | null }): boolean =>
  score !== null && score <= (site === 'own' ? 6 : 3)

/**
 * A draft of an answer. It neither confirms nor denies that the author was a patient, and does not mention a visit:
 * that is a medical secret (323-ФЗ, art. 13), whatever the author has disclosed. Pure.
 */
export function draftAnswer({
  site,
  score,
  author,
  phone,
}: {
  site: ReviewSite
  score: number | null
  author: string | null
  phone: string | null
}): string {
  const name = author?.trim().split(/\s+/).at(0)
  const hello = name && /^[А-ЯЁ][а-яё]+$/.test(name) ? `${name}, здравствуйте!` : 'Здравствуйте!'
  if (isLow({ site, score }))
    return `${hello} Нам жаль, что у вас осталось такое впечатление. Мы хотим разобраться и не можем обсуждать лечение здесь: это врачебная тайна. Пожалуйста, напишите или позвоните руководителю клиники${phone ? ` по телефону ${phoneText(phone)}` : ''}, и мы ответим лично.`
  return `${hello} Спасибо, что нашли время написать. Передадим ваши слова коллегам: им будет приятно.`
}
