import { entity } from '../../entity.ts'
import { choice } from '../../fields/choice.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { position } from '../../fields/position.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'

/** How a conversation has ended, as figures tell it apart, whatever the clinic calls it. */
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

/** What a call or a chat may end with: the clinic's own list. */
export const Outcome = entity('appeals/outcomes', {
  label: ['Итог разговора', 'итога разговора', 'итогов разговоров'],
  gender: 'm',
  registry: {
    columns: ['name', 'kind'],
    form: ['name', 'kind'],
    empty: { title: 'Итогов пока нет', text: 'Заведите то, чем у вас кончаются звонки и чаты.' },
  },
  fields: {
    name: text({ label: 'Название', required: true, max: 64, search: true }),
    kind: choice(outcomeKinds, { label: 'Считать как', required: true }),
    /** The first nine are chosen by the keys 1–9. */
    order: position({ group: [], start: 'last' }),
  },
  access: {
    view: ['viewAppeals', 'viewCallJournal', 'supportOperator', 'displayTableLiveAssist'],
    create: 'editAppeals',
    update: 'editAppeals',
    delete: 'editAppeals',
  },
  title: 'name',
  sort: 'order',
  soft: true,
})

/** What a call and a chat alike end with: an outcome, or what is done next and when. */
export const endFields = {
  idOutcome: ref('appeals/outcomes', { label: 'Итог', as: 'outcome', readonly: true, whenDeleted: 'asks' }),
  nextStep: text({ label: 'Следующий шаг', max: 255, readonly: true }),
  dateNextStep: dateTime({ label: 'Следующий шаг когда', readonly: true }),
  /** Who keeps what is promised of it, where that is another than who has talked. */
  idOwner: ref('users', { label: 'Чьё обещание', as: 'owner', readonly: true, whenDeleted: 'stays' }),
}
