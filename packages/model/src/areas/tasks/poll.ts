import { entity, many } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { integer } from '../../fields/integer.ts'
import { position } from '../../fields/position.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { access } from './board.ts'
import { madeInTask } from './link.ts'

export const Poll = entity('tasks-management/polls', {
  label: ['Опрос', 'опроса', 'опросов'],
  fields: {
    name: text({ label: 'Вопрос', required: true, max: 500 }),
    image: ref('tasks-management/files', { label: 'Картинка', as: 'picture', onDelete: 'set null' }),
    dateStart: dateTime({ label: 'Начало' }),
    dateEnd: dateTime({ label: 'Окончание' }),
    isMultiple: boolean({ label: 'Можно выбрать несколько', default: false }),
    idUser: ref('users', { label: 'Создатель', as: 'user', auto: 'actor' }),
    idTask: madeInTask(),
  },
  many: { options: many('tasks-management/poll-options', 'idPoll') },
  access,
  title: 'name',
  sort: 'id',
  soft: true,
})

/** Why voting is closed; undefined: the poll is open. */
export function pollClosed(
  poll: { dateStart?: string | null; dateEnd?: string | null },
  now = Date.now(),
): string | undefined {
  if (poll.dateStart && now < Date.parse(poll.dateStart)) return 'Опрос ещё не начался'
  if (poll.dateEnd && now >= Date.parse(poll.dateEnd)) return 'Опрос завершён'
  return undefined
}

export const PollOption = entity('tasks-management/poll-options', {
  label: ['Вариант ответа', 'варианта ответа', 'вариантов ответа'],
  fields: {
    name: text({ label: 'Вариант', required: true, max: 255 }),
    order: position({ group: ['idPoll'], start: 'last' }),
    idPoll: ref('tasks-management/polls', {
      label: 'Опрос',
      as: 'poll',
      required: true,
      fixed: true,
      onDelete: 'cascade',
    }),
    resultsCount: integer({ label: 'Голосов', computed: true, required: true }),
  },
  many: { results: many('tasks-management/poll-results', 'idOption') },
  access,
  within: 'idPoll',
  title: 'name',
  sort: 'order',
  soft: true,
})

/** One person's vote for one option. */
export const PollResult = entity('tasks-management/poll-results', {
  label: ['Голос', 'голоса', 'голосов'],
  fields: {
    /** The voter's comment. */
    name: text({ label: 'Пояснение', max: 255 }),
    idOption: ref('tasks-management/poll-options', {
      label: 'Вариант',
      as: 'option',
      required: true,
      fixed: true,
      onDelete: 'cascade',
    }),
    idUser: ref('users', { label: 'Сотрудник', as: 'user', auto: 'actor' }),
  },
  access,
  within: 'idOption',
  unique: [['idOption', 'idUser']],
  sort: 'id',
  soft: true,
})
