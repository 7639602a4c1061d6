import { z } from 'zod'
import { call, idParams, rowOf, shapeOf } from '../../call.ts'
import type { Expanded } from '../../client.ts'
import type { Row } from '../../entity.ts'
import { picturesCall } from '../files/calls.ts'
import { News, NewsFile } from './news.ts'

/** Maximum bytes of a request. */
const MAX_BODY = 1024 * 1024
/** Requests a minute from one address. */
const RATE = 60

const name = z.union([z.string(), z.number()])
const person = z.object({ id: z.number(), fio: z.string(), shortFio: z.string(), avatar: z.string().nullable() })
/** A user in the lists of readers. */
export type Reader = z.output<typeof person>

type Latest = Pick<Row<typeof News>, 'id' | 'title' | 'source' | 'isPinned' | 'isRead' | 'dateActive' | 'dateCreate'>
type Open = Pick<Expanded<typeof News, 'images' | 'user'>, 'images' | 'user'>

export const newsCalls = {
  uploadFile: picturesCall(NewsFile),
  makeSecret: call({
    method: 'POST',
    path: '/news/intakes/:id/secret',
    summary: 'Новый секрет подписи; показывается один раз, прежний перестаёт действовать',
    access: 'editNews',
    fresh: true,
    params: idParams,
    answer: z.object({ secret: z.string() }),
  }),
  takeNews: call({
    method: 'POST',
    path: '/news/intake/:key',
    summary:
      'Новость снаружи. X-Signature: sha256=<hex HMAC-SHA256 тела>, номер в id, время в timestamp; номер неповторим внутри источника',
    access: 'public',
    params: z.object({ key: z.string().max(64) }),
    body: z.looseObject({
      id: name.optional(),
      timestamp: name.optional(),
      title: z.string().optional(),
      text: z.string().optional().describe('HTML или простой текст'),
      date: name.optional(),
      images: z.array(z.looseObject({ id: name.optional(), url: z.string() })).optional(),
      url: z.string().optional(),
    }),
    bodyType: 'raw',
    bodyLimit: MAX_BODY,
    limit: RATE,
    answer: z.object({ ok: z.literal(true), repeated: z.boolean() }),
  }),
  latest: call({
    method: 'GET',
    path: '/dashboard/news',
    summary: 'Последние активные новости для рабочего стола: открыты каждому сотруднику',
    access: 'signed-in',
    answer: shapeOf<{ items: Latest[] }>(),
  }),
  open: call({
    method: 'GET',
    path: '/dashboard/news-items/:id',
    summary: 'Активная новость для панели рабочего стола, с картинками и автором',
    access: 'signed-in',
    params: idParams,
    answer: rowOf<typeof News, Open>(News),
  }),
  markRead: call({
    method: 'POST',
    path: '/news/:id/read',
    summary: 'Отметить новость прочитанной мной; повтор ничего не меняет',
    access: 'signed-in',
    params: idParams,
  }),
  readers: call({
    method: 'GET',
    path: '/news/:id/readers',
    summary: 'Кто прочитал новость и кто ещё нет',
    access: 'editNews',
    params: idParams,
    answer: z.object({ read: z.array(z.object({ user: person, dateRead: z.string() })), unread: z.array(person) }),
  }),
  remind: call({
    method: 'POST',
    path: '/news/:id/remind',
    summary: 'Напомнить о новости тем, кто её не прочитал; не чаще раза в час',
    access: 'editNews',
    params: idParams,
    answer: z.object({ count: z.int() }),
  }),
}
