import { Notification } from '@ordinator/model/areas/notifications/notification'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { operation } from '../../records/operation.ts'

const readAll = operation({
  method: 'POST',
  path: '/notifications/read-all',
  summary: 'Отметить все свои уведомления прочитанными',
  access: 'signed-in',
  answer: z.object({ read: z.number().int() }),
  handler: ({ records, actor }) =>
    records.tx(async (_, tx) => {
      const found = await tx.one<{ read: number }>(sql`
        with made as (
          update notifications set "dateRead" = now(), "_version" = "_version" + 1
          where "idUser" = ${actor.id} and "dateRead" is null and not "deleted" returning *
        ), noted as (
          insert into history ("path", "idEntity", "action", "idUser", "changes", "version", "requestId")
          select ${Notification.path}, made."id", 'update', ${actor.id}::bigint,
            jsonb_build_object('dateRead', jsonb_build_array(null, made."dateRead")), made."_version", ${actor.requestId ?? null}::text
          from made
        ) select count(*)::int as read from made`)
      return { read: found?.read ?? 0 }
    }),
})

const channels = operation({
  method: 'GET',
  path: '/notifications/channels',
  summary: 'Куда сервер умеет присылать уведомления, кроме самой программы',
  access: 'signed-in',
  answer: z.object({ mail: z.boolean() }),
  handler: async ({ app }) => ({ mail: app.config.smtpUrl !== undefined }),
})

export const notificationOperations = [readAll, channels]
