/** «С чего начать»: setup progress of a new clinic, and its starter sets. */
import { z } from 'zod'
import { call, id } from '../../call.ts'
import { startKitKeys } from './kits.ts'
import { type StartState, startKeys, startStates } from './steps.ts'

const access = 'mainSettings'
const stateNames = Object.keys(startStates) as [StartState, ...StartState[]]

const progress = z.object({
  steps: z.array(
    z.object({
      key: z.enum(startKeys),
      done: z.boolean(),
      /** Number of records of the step. */
      count: z.int(),
      state: z.enum(stateNames).nullable(),
      /** The user who took or skipped it, and when. */
      by: z.object({ id, shortFio: z.string() }).nullable(),
      at: z.string().nullable(),
    }),
  ),
  /** Setup is complete: the clinic works. */
  works: z.boolean(),
  /** Employees who see empty pages: without a role, or with a desk role and no desk. */
  idle: z.array(z.object({ id, shortFio: z.string(), why: z.enum(['roles', 'desk']) })),
})

const kit = z.object({
  key: z.enum(startKitKeys),
  /** Number of its records that still exist; above 0: the set was taken. */
  taken: z.int(),
  services: z.array(z.object({ group: z.string(), name: z.string(), code: z.string().nullable(), minutes: z.int() })),
  specialities: z.array(z.string()),
  examinations: z.array(z.string()),
  consents: z.array(z.string()),
})

const kitParams = z.object({ kit: z.enum(startKitKeys) })

export const startCalls = {
  progress: call({
    method: 'GET',
    path: '/start',
    summary: 'С чего начать: какие шаги сделаны, что отложено и кем, работает ли клиника',
    access,
    answer: progress,
  }),
  mark: call({
    method: 'PUT',
    path: '/start/steps/:key',
    summary: 'Взять шаг, отложить его или вернуть (null). Сделан ли он, говорят данные',
    access,
    params: z.object({ key: z.enum(startKeys) }),
    body: z.strictObject({ state: z.enum(stateNames).nullable() }),
    answer: progress,
  }),
  kits: call({
    method: 'GET',
    path: '/start/kits',
    summary: 'Готовые наборы по виду клиники: услуги, длительности, осмотры, согласия, специальности',
    access,
    answer: z.object({ kits: z.array(kit) }),
  }),
  takeKit: call({
    method: 'POST',
    path: '/start/kits/:kit',
    summary: 'Завести набор: чего ещё нет; то, что с тем же названием есть, остаётся своим',
    access,
    params: kitParams,
    answer: z.object({ added: z.int() }),
  }),
  dropKit: call({
    method: 'DELETE',
    path: '/start/kits/:kit',
    summary: 'Убрать набор целиком, пока ничем из него не пользуются; иначе 409 с причиной, и ничего не убрано',
    access,
    params: kitParams,
    answer: z.object({ removed: z.int() }),
  }),
} as const
