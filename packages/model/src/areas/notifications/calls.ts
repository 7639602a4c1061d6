import { z } from 'zod'
import { call } from '../../call.ts'

export const notificationCalls = {
  readAll: call({
    method: 'POST',
    path: '/notifications/read-all',
    summary: 'Отметить все свои уведомления прочитанными',
    access: 'signed-in',
    answer: z.object({ read: z.int() }),
  }),
  channels: call({
    method: 'GET',
    path: '/notifications/channels',
    summary: 'Куда сервер умеет присылать уведомления, кроме самой программы',
    access: 'signed-in',
    answer: z.object({ mail: z.boolean() }),
  }),
}
