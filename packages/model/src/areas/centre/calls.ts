import { z } from 'zod'
import { call, id, idParams, idText } from '../../call.ts'
import { messages } from '../../messages.ts'

/** Parts of a shift handover; each is optional. */
export const handoverParts = {
  chats: 'Чаты',
  online: 'Чат с пациентом',
  calls: 'Звонки',
  appeals: 'Обращения',
  tasks: 'Задачи',
} as const
export type HandoverPart = keyof typeof handoverParts

const counts = z.object({ chats: z.int(), online: z.int(), calls: z.int(), appeals: z.int(), tasks: z.int() })

/** Duties handed over when an employee leaves; each part may have a different successor. */
export const dutyParts = {
  visits: 'Визиты впереди',
  chats: 'Открытые чаты',
  online: 'Диалоги с пациентами',
  appeals: 'Обращения',
  tasks: 'Открытые задачи',
  deals: 'Сделки в работе',
} as const
export type DutyPart = keyof typeof dutyParts
/** Maximum records per request, of one part. */
export const MAX_DUTIES = 200

const duties = z.object({
  visits: z.int(),
  chats: z.int(),
  online: z.int(),
  appeals: z.int(),
  tasks: z.int(),
  deals: z.int(),
})

/** 0: permanently. */
const months = z.coerce.number<number>().int().min(0).max(240).default(0)

const found = z.object({ count: z.int(), more: z.boolean() })

/** Minutes within which a handover can be undone. */
export const HANDOVER_UNDO_MIN = 15

/** Scenarios of the simulator. */
export const scenarios = {
  day: 'Обычный день: пишут и звонят вперемешку',
  rush: 'Час пик: много звонков сразу, часть не дожидается',
  chats: 'Только чаты: пишут на сайт',
  complaints: 'Недовольные: жалуются и торопят',
  flood: 'Поток: часть пишет без остановки, лишнее не принимается',
} as const
export type Scenario = keyof typeof scenarios

export const runStatuses = { running: 'Идёт', done: 'Закончен', stopped: 'Остановлен' } as const
export type RunStatus = keyof typeof runStatuses

const scenarioNames = Object.keys(scenarios) as [Scenario, ...Scenario[]]

const simulator = z.object({
  run: z
    .object({
      id,
      scenario: z.enum(scenarioNames),
      seed: z.int(),
      speed: z.int(),
      status: z.enum(Object.keys(runStatuses) as [RunStatus, ...RunStatus[]]),
      step: z.int(),
      total: z.int(),
      dateCreate: z.string(),
    })
    .nullable(),
  /** Records that remain from all runs. */
  made: z.object({ chats: z.int(), calls: z.int() }),
})

/** Rights of users who may have something to hand over. */
const access = ['supportOperator', 'onlineChat', 'viewCallJournal', 'editAppeals', 'viewTasksManagement'] as const

export const centreCalls = {
  handover: call({
    method: 'GET',
    path: '/shift-handover',
    summary: 'Передача смены: что передаётся, кому можно, и что передали мне за последние 12 часов',
    access,
    query: z.strictObject({
      /** The employee to check as successor. */
      to: idText.optional(),
    }),
    answer: z.object({
      counts,
      /** Tasks that stay, as the successor is in none of their workspaces. */
      staying: z.int(),
      /** Parts that the successor has no right to. */
      closed: z.array(z.enum(Object.keys(handoverParts) as [HandoverPart, ...HandoverPart[]])),
      people: z.array(z.object({ id, shortFio: z.string(), isOnline: z.boolean() })),
      received: z.array(z.object({ id, from: z.string(), note: z.string(), dateCreate: z.string(), counts })),
      /** The user's own last handover, while it can be undone. */
      given: z.object({ id, to: z.string(), dateCreate: z.string() }).nullable(),
    }),
  }),
  handOver: call({
    method: 'POST',
    path: '/shift-handover',
    summary: 'Передать смену: всё выбранное одному сотруднику с одной заметкой, целиком или никак',
    access,
    body: z.strictObject({
      idUser: id,
      note: z
        .string(messages.string)
        .trim()
        .min(1, 'Напишите, что важно знать')
        .max(2000, messages.maxLength(2000))
        .refine((value) => !value.includes('\0'), messages.nul),
      parts: z
        .array(z.enum(Object.keys(handoverParts) as [HandoverPart, ...HandoverPart[]]))
        .min(1, 'Выберите, что передать'),
    }),
    answer: z.object({ id, counts }),
  }),
  duties: call({
    method: 'GET',
    path: '/users/:id/duties',
    summary: 'Что держится на сотруднике: визиты впереди, открытые чаты, диалоги, обращения, задачи, сделки',
    access: 'editUsers',
    params: idParams,
    answer: z.object({ counts: duties }),
  }),
  giveDuties: call({
    method: 'POST',
    path: '/users/:id/duties',
    summary: 'Передать дела сотрудника: каждую часть тому, кто её возьмёт; что не передать, остаётся с причиной',
    access: 'editUsers',
    params: idParams,
    body: z.strictObject({
      to: z
        .strictObject({
          visits: id.optional(),
          chats: id.optional(),
          online: id.optional(),
          appeals: id.optional(),
          tasks: id.optional(),
          deals: id.optional(),
        })
        .refine((to) => Object.keys(to).length > 0, 'Выберите, что и кому передать'),
    }),
    answer: z.object({
      counts: duties,
      /** Records that were not moved, with the reason: «12.12.2026 10:00, Иванов А. А.». */
      stayed: z.array(z.object({ part: z.string(), name: z.string(), why: z.string() })),
    }),
  }),
  simulator: call({
    method: 'GET',
    path: '/simulator',
    summary: 'Симулятор: что играется и что от него осталось. Есть только в демонстрационной клинике',
    access: 'mainSettings',
    answer: simulator,
  }),
  startSimulator: call({
    method: 'POST',
    path: '/simulator/start',
    summary: 'Начать: пациенты пишут и звонят по сценарию; с тем же номером прогона всё повторяется',
    access: 'mainSettings',
    body: z.strictObject({
      scenario: z.enum(scenarioNames),
      seed: z.int().min(1).max(999_999).optional(),
      speed: z.union([z.literal(1), z.literal(5), z.literal(20)]).default(1),
    }),
    answer: simulator,
  }),
  stopSimulator: call({
    method: 'POST',
    path: '/simulator/stop',
    summary: 'Остановить: то, что уже пришло, остаётся',
    access: 'mainSettings',
    answer: simulator,
  }),
  clearSimulator: call({
    method: 'POST',
    path: '/simulator/clear',
    summary: 'Убрать всё учебное: звонки — насовсем, чаты и обращения из них — в корзину',
    access: 'mainSettings',
    answer: simulator,
  }),
  retention: call({
    method: 'GET',
    path: '/settings/retention',
    summary: 'Сколько записей разговоров, их расшифровок и чатов старше этих сроков, в месяцах; ничего не удаляет',
    access: 'mainSettings',
    query: z.strictObject({ recordings: months, transcripts: months, chats: months }),
    answer: z.object({ recordings: found, transcripts: found, chats: found }),
  }),
  undoHandover: call({
    method: 'POST',
    path: '/shift-handover/:id/undo',
    summary: `Забрать переданное обратно, в первые ${HANDOVER_UNDO_MIN} минут: то, к чему принявший ещё не прикоснулся`,
    access,
    params: idParams,
    answer: z.object({ counts }),
  }),
} as const
