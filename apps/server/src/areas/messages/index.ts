import type { Area } from '#records/area.ts'
import { messageAdapters } from './adapters.ts'
import { smsReport } from './callbacks.ts'
import { preview, repeat, test } from './calls.ts'
import { collect } from './collect.ts'
import { demo } from './demo.ts'
import { askFates, askReported } from './fates.ts'
import { estimate, mail } from './mail.ts'
import { messageRecords } from './messages.ts'
import { startSending } from './outgoing.ts'
import { sendQueued } from './send.ts'
import { messageTemplates } from './templates.ts'
import { messageVisit } from './visitMessage.ts'

export { stillSql } from './collect.ts'
export { type Device, devicesOf, pushedSql, sessionLastsSql, wakeDevice } from './devices.ts'
export { keepReply } from './replies.ts'
export { sendQueued } from './send.ts'
export { spokenOfSql } from './templates.ts'
export { visitOfLink, visitOfScoreLink } from './visitLink.ts'
export { emailSql, phoneSql, reachedSql, type Ways, waysOf } from './ways.ts'

/** Messages to patients: templates, events, and their outcomes. */
export const messages: Area = {
  name: 'messages',
  title: 'Сообщения пациентам',
  records: [messageTemplates, messageRecords],
  operations: [preview, test, mail, estimate, repeat, smsReport, messageVisit],
  adapters: messageAdapters,
  start(app) {
    app.jobs.register('messages.collect', { cron: '* * * * *', handler: () => collect(app) })
    app.jobs.register('messages.send', { cron: '* * * * *', handler: () => sendQueued(app) })
    startSending(app)
    app.jobs.register<{ ids: string[] }>('messages.reported', { handler: ({ ids }) => askReported(app, ids) })
    app.jobs.register('messages.fates', { cron: '*/5 * * * *', handler: () => askFates(app) })
  },
  demo,
}
