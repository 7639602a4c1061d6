import { choice } from '../../fields/choice.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { editedBy, list } from '../../list.ts'

/** Kinds of outcomes that reports distinguish, independent of the clinic's names for them. */
export const outcomeKinds = {
  booked: 'Записан на приём',
  consulted: 'Получил ответ',
  sold: 'Купил услугу',
  refused: 'Отказался',
  notTarget: 'Не по адресу',
  complaint: 'Жалоба',
  noAnswer: 'Не ответил',
  spam: 'Спам',
} as const
export type OutcomeKind = keyof typeof outcomeKinds

/** Possible outcomes of a call or a chat: a list that the clinic maintains. */
export const Outcome = list('appeals/outcomes', ['Итог разговора', 'итога разговора', 'итогов разговоров'], {
  gender: 'm',
  registry: {
    columns: ['name', 'kind'],
    form: ['name', 'kind'],
    empty: { title: 'Итогов пока нет', text: 'Заведите то, чем у вас кончаются звонки и чаты.' },
  },
  name: { max: 64 },
  extra: { kind: choice(outcomeKinds, { label: 'Считать как', required: true }) },
  /** The first nine have the keys 1–9. */
  ordered: true,
  access: editedBy('editAppeals', ['viewAppeals', 'viewCallJournal', 'supportOperator', 'displayTableLiveAssist']),
})

/** Fields at the end of a call or a chat: an outcome, or the next step and its date. */
export const endFields = {
  idOutcome: ref('appeals/outcomes', { label: 'Итог', as: 'outcome', readonly: true, whenDeleted: 'asks' }),
  nextStep: text({ label: 'Следующий шаг', max: 255, readonly: true }),
  dateNextStep: dateTime({ label: 'Следующий шаг когда', readonly: true }),
  /** The owner of its promise, if other than the employee who talked. */
  idOwner: ref('users', { label: 'Чьё обещание', as: 'owner', readonly: true, whenDeleted: 'stays' }),
}
