/**
 * Delivery reports of SMS providers. They are unsigned: a report only triggers a query about the messages that it
 * names.
 */
import { messageCalls } from '@ordinator/model/areas/messages/calls'
import { smsReports } from '@ordinator/model/areas/messages/reports'
import sql from 'sql-template-tag'
import { readCommonSettings } from '#areas/settings/index.ts'
import { operation } from '#records/operation.ts'

export const smsReport = operation(messageCalls.smsReport, async ({ app, params: { provider }, request, reply }) => {
  const { smsProvider } = await readCommonSettings(app.db)
  const body = ((request.body as Buffer | undefined) ?? Buffer.alloc(0)).toString('utf8')
  const ids = smsProvider === provider ? smsReports[provider](body) : []
  const known =
    ids.length === 0
      ? undefined
      : await app.db.one(sql`select 1 from messages where "status" = 'accepted'
          and ("idGateway" = any (${ids}::text[]) or split_part("idGateway", ':', 1) = any (${ids}::text[])) limit 1`)
  if (known) await app.jobs.send('messages.reported', { ids })
  return reply.type('text/plain').send('100')
})
