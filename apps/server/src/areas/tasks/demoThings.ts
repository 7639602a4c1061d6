import { LiveAssist } from '@ordinator/model/areas/chats/liveAssist'
import { Customer } from '@ordinator/model/areas/customers/customer'
import { Lead } from '@ordinator/model/areas/sales/lead'
import { CheckList, CheckListItem } from '@ordinator/model/areas/tasks/checkList'
import { ClientList, ClientListItem } from '@ordinator/model/areas/tasks/clientList'
import { TaskLink } from '@ordinator/model/areas/tasks/link'
import { Poll, PollOption, PollResult } from '@ordinator/model/areas/tasks/poll'
import { Task } from '@ordinator/model/areas/tasks/task'
import sql from 'sql-template-tag'
import type { Queryable } from '#platform/db.ts'
import type { Records } from '#records/records.ts'

/** A done item begins with «+»; a trailing «@login» names the executor. */
type DemoCheckList = readonly [name: string, items: readonly string[]]
interface DemoPoll {
  name: string
  isMultiple?: boolean
  /** With the logins of its voters. */
  options: readonly (readonly [name: string, voters: string])[]
  /** Days from today on which it ends. */
  ends?: number
}

interface DemoThings {
  checkLists?: readonly DemoCheckList[]
  /** Number of customers in the list. */
  clients?: readonly [name: string, count: number]
  poll?: DemoPoll
  /** Numbers of demo deals and chats. */
  leads?: readonly number[]
  chats?: readonly number[]
}

const DAY = 86_400_000

/** Parts of the demo tasks, by the task's name. */
const things: Record<string, DemoThings> = {
  'Подтвердить запись на завтра: терапевты, 14 пациентов': { clients: ['Терапевты, завтра', 14] },
  'Подготовить карты к выездному осмотру «Стройинвест»': {
    checkLists: [
      [
        'Что взять с собой',
        [
          '+Карты по списку @operator',
          'Согласия, 38 бланков @nurse',
          'Направления на кровь @nurse',
          'Маршрутные листы',
        ],
      ],
      ['Накануне', ['Позвонить в отдел кадров @operator', 'Заказать машину на 8:30', 'Зарядить тонометры @nurse']],
    ],
    leads: [0],
  },
  'Обзвон пропущенных за выходные': {
    checkLists: [
      [
        'Порядок',
        [
          '+Выгрузить пропущенные @operator',
          '+Сначала те, кто звонил дважды @operator',
          'Остальные',
          'Итоги — старшему',
        ],
      ],
    ],
    clients: ['Пропущенные с пятницы', 17],
    chats: [1],
  },
  'Разобрать заявки с сайта за ночь': { chats: [0, 3], leads: [4, 5] },
  'Сверка расписания на декабрь с врачами': {
    poll: {
      name: 'Когда собраться на сверку?',
      options: [
        ['Вторник, 13:00', 'manager'],
        ['Среда, 8:15', 'doctor nurse'],
        ['Четверг, 17:30', ''],
      ],
      ends: 2,
    },
  },
  'Памятка пациенту: подготовка к УЗИ': {
    checkLists: [['Согласовать', ['+Терапевты @doctor', '+Гинекологи', 'Урологи', 'Юрист']]],
  },
  'План публикаций на декабрь': {
    checkLists: [
      ['Недели', ['+1–7 декабря', '8–14 декабря @operator', '15–21 декабря @operator', '22–31 декабря: поздравления']],
    ],
    poll: {
      name: 'О чём рассказать в декабре?',
      isMultiple: true,
      options: [
        ['Прививки и поездки', 'manager operator'],
        ['Как подготовиться к анализам', 'operator admin'],
        ['Знакомство с врачами', 'manager operator admin'],
        ['Закулисье лаборатории', 'admin'],
      ],
    },
  },
  'Рассылка тем, кто не был год': { clients: ['Не были с прошлого ноября', 40] },
  'Перенастроить рекламу в поиске: дорогая заявка по гинекологии': { leads: [3] },
  'Ремонт кабинета УЗИ на Лесной: смета': {
    checkLists: [
      ['Сметы', ['+«Мастер-Строй» @storekeeper', 'ИП Назаров @storekeeper', '«Ремонт под ключ» @manager']],
      ['До начала работ', ['Перенести записи на другой кабинет', 'Вывезти аппарат', 'Предупредить соседей']],
    ],
  },
}

/** Fills the demo tasks with check lists, client lists, polls and links, each created by an employee. */
export async function demoThings(people: ReadonlyMap<string, Records>, author: Records, tx: Queryable): Promise<void> {
  const system = author.asSystem
  const ids = async (entity: typeof Lead | typeof LiveAssist | typeof Customer, params = {}) =>
    (await system.rows(entity, { sort: 'id', limit: 200, fields: 'id', ...params })).map(({ id }) => id)
  const [customers, leads, chats] = [
    await ids(Customer, { 'filter[phone][null]': '0' }),
    await ids(Lead),
    await ids(LiveAssist),
  ]
  let client = 0
  for (const [name, own] of Object.entries(things)) {
    const [task] = await system.rows(Task, { 'filter[name]': name, limit: 1 })
    if (!task) continue
    const idTask = task.id
    const members = await membersOf(tx, idTask)
    for (const [title, items] of own.checkLists ?? []) {
      const list = await system.create(CheckList, { name: title, idTask })
      for (const [at, written] of items.entries()) {
        const [, done, text = '', login = ''] = /^(\+?)(.*?)(?: @(\w+))?$/.exec(written) ?? []
        await system.create(CheckListItem, {
          idCheckList: list.id,
          name: text,
          isCheck: done === '+',
          idExecutor: members.get(login)?.idMember ?? null,
          ...(login && !done ? { dateEnd: new Date(Date.now() + (at - 1) * DAY).toISOString() } : {}),
        })
      }
    }
    if (own.clients) {
      const [title, count] = own.clients
      const list = await system.create(ClientList, { name: title, idTask })
      for (const idCustomer of customers.slice(client, client + count))
        await system.create(ClientListItem, { idClientList: list.id, idCustomer })
      client += count
    }
    if (own.poll) await makePoll(system, people, own.poll, idTask)
    for (const at of own.leads ?? []) await link(system, idTask, 'lead', leads[at])
    for (const at of own.chats ?? []) await link(system, idTask, 'liveassist', chats[at])
  }
}

async function makePoll(
  system: Records,
  people: ReadonlyMap<string, Records>,
  { name, isMultiple = false, options, ends }: DemoPoll,
  idTask: number,
): Promise<void> {
  const dateEnd = ends === undefined ? null : new Date(Date.now() + ends * DAY).toISOString()
  const poll = await system.create(Poll, { name, isMultiple, dateEnd, idTask })
  for (const [title, voters] of options) {
    const option = await system.create(PollOption, { idPoll: poll.id, name: title })
    for (const login of voters.split(' ').filter(Boolean)) {
      const voter = people.get(login)
      if (voter) await system.as({ ...voter.actor, system: true }).create(PollResult, { idOption: option.id })
    }
  }
}

async function link(system: Records, idTask: number, type: 'lead' | 'liveassist', idEntity: number | undefined) {
  if (idEntity !== undefined) await system.create(TaskLink, { idTask, type, idEntity })
}

/** The members of the task's board, by login. */
async function membersOf(tx: Queryable, idTask: number): Promise<Map<string, { idMember: number }>> {
  const found = await tx.query<{ login: string; idMember: number }>(sql`select u."login", m."id" as "idMember"
    from tasks_management_assigned a join tasks_management_columns c on c."id" = a."idColumn"
    join tasks_management_members m on m."idBoard" = c."idBoard" and not m."deleted" join users u on u."id" = m."idUser"
    where a."idTask" = ${idTask} and not a."deleted"`)
  return new Map(found.map((one) => [one.login, one]))
}
