/** Mails about unread notices: one mail for all of them, some minutes later, each notice once. */
import { plural } from '@ordinator/model/format'
import sql from 'sql-template-tag'
import { mailerOf, readCommonSettings } from '#areas/settings/index.ts'
import { type Letter, mailed, maybeMailed } from '#platform/mail.ts'
import type { OutboxAdapter } from '#platform/outbox.ts'
import { switchedOff } from '#platform/outboxMessage.ts'
import type { AppContext, Work } from '#records/context.ts'
import { escaped } from '#records/sanitize.ts'

const LANE = 'mail.unread'
/** Minutes that a notice stays unread before mailing, and minimum minutes between two mails to one person. */
const WAIT_MINUTES = 5
/** Hours after which a notice is no longer mailed. */
const KEPT_HOURS = 24
/** Maximum number of notices listed in a mail; the rest is counted. */
const MAX_LINES = 50

/** The job `notifications.mail`, and its mails. */
export function startLetters(app: AppContext): void {
  app.outbox.register(unreadMails(app))
  app.jobs.register('notifications.mail', { cron: '* * * * *', handler: () => queueMails(app) })
}

/** SQL condition: the user `u` wants mails. */
const wantsMail = sql`u."email" <> '' and not u."deleted" and not u."isBlocked"
  and exists (select 1 from user_settings s where s."idUser" = u."id" and s."name" = 'notifications' and not s."deleted"
    and s."value" -> 'sendToEmail' = 'true')`

/** SQL condition: the notice `n` is to be mailed. */
const waiting = sql`n."dateRead" is null and n."dateMailed" is null and not n."deleted"
  and n."dateCreate" < now() - make_interval(mins => ${WAIT_MINUTES})
  and n."dateCreate" > now() - make_interval(hours => ${KEPT_HOURS})`

/** The key is the first unread notice: of two concurrent processes one queues the mail. */
async function queueMails(app: AppContext): Promise<void> {
  const people = await app.db.query<{ idUser: number; first: number }>(sql`
    select u."id" as "idUser", f."first" from users u
    cross join lateral (select min(n."id") as "first" from notifications n where n."idUser" = u."id" and ${waiting}) f
    where ${wantsMail} and f."first" is not null
      and not exists (select 1 from notifications m where m."idUser" = u."id"
        and m."dateMailed" > now() - make_interval(mins => ${WAIT_MINUTES}))
      and not exists (select 1 from outbox o where o."adapter" = 'mail' and o."subject" = 'unread-' || u."id" and o."state" <> 'dead')
    order by u."id"`)
  if (people.length === 0 || !(await mailerOf(app))) return
  for (const { idUser, first } of people)
    await app.db.tx((tx) =>
      app.outbox.add(tx, {
        adapter: 'mail',
        lane: LANE,
        operation: 'unread',
        title: 'Письмо о непрочитанном',
        key: `letter-${idUser}-${first}`,
        subject: `unread-${idUser}`,
        about: { path: 'users', id: idUser },
        payload: { idUser },
      }),
    )
}

interface Line {
  id: number
  title: string
  text: string | null
  link: string | null
}

/** One mail lists what is unread when it is sent. */
const unreadMails = (app: AppContext): OutboxAdapter<Work, { idUser: number }> => ({
  code: 'mail',
  lane: LANE,
  retryMinutes: [1, 5, 15, ...Array<number>(KEPT_HOURS).fill(60)],
  async send({ payload: { idUser } }, run) {
    const mailer = await mailerOf(app)
    if (!mailer) return switchedOff('Почта не подключена')
    const lines = await app.db.query<Line & { email: string }>(sql`
      select n."id", n."title", n."text", n."link", u."email" from notifications n join users u on u."id" = n."idUser"
      where u."id" = ${idUser} and ${wantsMail} and ${waiting} order by n."id"`)
    if (!lines[0]) return { kind: 'done', note: 'Непрочитанного уже нет' }
    await run.remember(lines.map(({ id }) => id))
    const { productName } = await readCommonSettings(app.db)
    return mailed(app.log, mailer, letter(lines[0].email, productName, lines, app.config.publicUrl))
  },
  ask: async () => maybeMailed,
  /** Marks the notices of a mail that was or may have been sent. */
  async settled({ tx }, { memo }, { state }) {
    const isWaiting = state === 'waiting'
    await tx.query(sql`update notifications set "dateMailed" = case when not ${isWaiting} then now() end
      where "id" = any (${memo ?? []}::bigint[]) and ("dateMailed" is null) <> ${isWaiting}`)
  },
})

/** The subject has the number of notices, and none of their text. */
function letter(to: string, product: string, lines: readonly Line[], publicUrl: string): Letter {
  const app = `${publicUrl}/app`
  const shown = lines.slice(0, MAX_LINES)
  const rest = lines.length - shown.length
  const more = rest > 0 ? `И ещё ${rest}.` : ''
  const bye = 'Письма можно отключить в профиле, на вкладке «Уведомления».'
  const urlOf = ({ link }: Line) => (link ? app + link : app)
  const detailOf = ({ title, text }: Line) => (text && !title.includes(text) ? text : '')
  const text = shown.map((line) => [line.title, detailOf(line), urlOf(line)].filter(Boolean).join('\n'))
  const html = shown.map(
    (line) =>
      `<p><a href="${escaped(urlOf(line))}"><b>${escaped(line.title)}</b></a><br>${escaped(detailOf(line)).replaceAll('\n', '<br>')}</p>`,
  )
  return {
    to,
    subject: `${product}: ${lines.length} ${plural(lines.length, ['новое уведомление', 'новых уведомления', 'новых уведомлений'])}`,
    text: [...text, more, bye].filter(Boolean).join('\n\n'),
    html: `<div style="font-family:sans-serif;font-size:14px;line-height:20px">${html.join('')}<p>${more}</p><p style="color:#666">${bye}</p></div>`,
  }
}
