/** Messages to an applicant, by SMS or mail: an application needs no card. */
import { AttachmentApplication } from '@ordinator/model/areas/attachment/application'
import { formatDateTime } from '@ordinator/model/format'
import { mailerOf, readCommonSettings, smsOf } from '#areas/settings/index.ts'
import type { Tx } from '#platform/db.ts'
import { sendSms } from '#platform/sms.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { escaped } from '#records/sanitize.ts'
import type { ApplicationRow } from './applications.ts'

export type NoticeKind = 'taken' | 'asked' | 'agreed' | 'refused'
interface Notice {
  idApplication: number
  kind: NoticeKind
  /** Version of the application, so that each step is announced once. */
  version: number
}

/** Sent after the commit. */
export const notifyApplicant = (app: AppContext, tx: Tx, one: ApplicationRow, kind: NoticeKind) =>
  app.jobs.send('attachment.notice', { idApplication: one.id, kind, version: one._version } satisfies Notice, { tx })

const names = {
  taken: 'attachmentTaken',
  asked: 'attachmentAsked',
  agreed: 'attachmentAgreed',
  refused: 'attachmentRefused',
} as const satisfies Record<NoticeKind, string>

/** The job `attachment.notice`. */
export async function notice(app: AppContext, { idApplication, kind, version }: Notice): Promise<void> {
  const [one] = await app.engine.for(systemActor).rows(AttachmentApplication, { 'filter[id]': idApplication })
  if (!one) return
  const settings = await readCommonSettings(app.db)
  const text = settings[names[kind]]
    .replaceAll('{номер}', one.number ?? String(one.id))
    .replaceAll('{причина}', (kind === 'asked' ? one.question : one.decisionReason) ?? '')
    .replaceAll('{срок}', formatDateTime(one.dueAt, settings.timeZone))
  if (!text.trim()) return
  const key = `attachment-${one.id}-${kind}-${version}`
  const gateway = one.phone ? await smsOf(app) : undefined
  if (gateway && one.phone) {
    const { outcome } = await sendSms(app, gateway, 'Прикрепление', { to: one.phone, text, key })
    if (outcome !== 'failed') return
  }
  const mailer = one.email ? await mailerOf(app) : undefined
  if (mailer && one.email)
    await mailer.send({ to: one.email, subject: 'Заявление о прикреплении', text, html: `<p>${escaped(text)}</p>` })
}
