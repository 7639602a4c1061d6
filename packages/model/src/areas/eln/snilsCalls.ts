import { z } from 'zod'
import { call, id, idParams, rowOf } from '../../call.ts'
import { SnilsQuery } from './snils.ts'

/** Calls of the search for a СНИЛС by the data of a card. */
export const snilsCalls = {
  ask: call({
    method: 'POST',
    path: '/snils/queries',
    summary: 'Спросить СФР, чей СНИЛС по данным карты; открытый запрос той же карты второй раз не заводится',
    access: 'editCustomers',
    status: 201,
    also: [200],
    body: z.strictObject({ idCustomer: id }),
    answer: rowOf(SnilsQuery),
  }),
  state: call({
    method: 'GET',
    path: '/snils/state',
    summary: 'Подключён ли поиск СНИЛС, сколько запросов сегодня и в очереди',
    access: ['viewCustomers', 'mainSettings'],
    answer: z.object({
      isSet: z.boolean(),
      words: z.string(),
      today: z.int(),
      perDay: z.int(),
      waiting: z.int(),
    }),
  }),
  take: call({
    method: 'POST',
    path: '/snils/queries/:id/take',
    summary: 'Взять в карту один из найденных СНИЛС',
    access: 'editCustomers',
    params: idParams,
    body: z.strictObject({ snils: z.string().max(20) }),
    answer: rowOf(SnilsQuery),
  }),
  stop: call({
    method: 'POST',
    path: '/snils/queries/:id/stop',
    summary: 'Больше не спрашивать по этому запросу',
    access: 'editCustomers',
    params: idParams,
    answer: rowOf(SnilsQuery),
  }),
}
