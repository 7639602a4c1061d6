/** The training clinic: entering it, making it anew, the done tasks of a first day. */
import { z } from 'zod'
import { call, id } from '../../call.ts'
import { trainedReaders, trainingRoleKeys } from './tasks.ts'

export const trainingStates = {
  none: 'Не сделана',
  making: 'Готовится',
  ready: 'Готова',
  failed: 'Не собралась',
} as const
export type TrainingState = keyof typeof trainingStates

const state = z.object({
  state: z.enum(Object.keys(trainingStates) as [TrainingState, ...TrainingState[]]),
  /** Why it was not made. */
  reason: z.string().nullable(),
  /** Percent of its making; null while nothing is made. */
  progress: z.number().nullable(),
  /** The current step of its start, in words; null without a start. */
  doing: z.string().nullable(),
})

const role = z.enum(trainingRoleKeys)

/** Keys of done tasks with the day, by role. */
const done = z.array(z.object({ role, task: z.string(), at: z.string() }))

export const trainingCalls = {
  look: call({
    method: 'GET',
    path: '/staff-training',
    summary: 'Учебная клиника: готова ли она и какие задания первого дня сделаны',
    access: 'signed-in',
    answer: state.extend({ done }),
  }),
  enter: call({
    method: 'POST',
    path: '/staff-training/enter',
    summary: 'Войти в учебную клинику без второго пароля: пропуск на минуту, или null, пока она готовится',
    access: 'signed-in',
    body: z.strictObject({ role }),
    answer: state.extend({ ticket: z.string().nullable() }),
  }),
  reset: call({
    method: 'POST',
    path: '/staff-training/reset',
    summary: 'Собрать учебную клинику заново: всё сделанное в ней исчезает, отметки о заданиях остаются',
    access: ['editUsers', 'mainSettings'],
    answer: state,
  }),
  people: call({
    method: 'GET',
    path: '/staff-training/people',
    summary: 'Кто из сотрудников сделал задания первого дня',
    access: [...trainedReaders],
    answer: z.object({
      items: z.array(z.object({ id, shortFio: z.string(), post: z.string().nullable(), done })),
    }),
  }),
  session: call({
    method: 'POST',
    path: '/staff-training/session',
    summary: 'В учебной клинике: открыть сеанс по пропуску основной',
    access: 'public',
    aside: true,
    body: z.strictObject({ ticket: z.string().max(2_000) }),
    answer: z.object({ accessToken: z.string() }),
  }),
  tasks: call({
    method: 'GET',
    path: '/staff-training/tasks',
    summary: 'В учебной клинике: роль вошедшего и что из её заданий сделано',
    access: 'signed-in',
    answer: z.object({ role: role.nullable(), done: z.array(z.string()) }),
  }),
} as const
