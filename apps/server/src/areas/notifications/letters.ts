/** Mails about unread notices: one mail for all of them, some minutes later, each notice once. */
import { plural } from '@ordinator/model/format'
import sql from 'sql-template-tag'
import { mailerOf, readCommonSettings } from '#areas/settings/index.ts'
import { type Letter, type Mailer, sendLetter } from '#platform/mail.ts'
import type { AppContext } from '#records/context.ts'
import { escaped } from '#records/sanitize.ts'

/** Minutes that a notice stays unread before mailing, and minimum minutes between two mails to one person. */
const WAIT_MINUTES = 5
/** Hours after which a notice is no longer mailed. */
const KEPT_HOURS = 24
/** Maximum number of notices listed in a mail; the rest is counted. */
const MAX_LINES = 50

/** The job `notifications.mail`. */
export function startLetters(app: AppContext): void {
  app.jobs.register('notifications.mail', {
    cron: '* * * * *',
    async handler() {
      const mailer = await mailerOf(app)
      if (mailer) await sendLetters(app, mailer)
    },
  })
}

interface Person {
  idUser: number
  email: string
}

async function sendLetters(app: AppContext, mailer: Mailer): Promise<void> {
  const people = await app.db.query<Person>(sql`
    select u."id" as "idUser", u."email" from users u
    join user_settings s on s."idUser" = u."id" and s."name" = 'notifications' and not s."deleted"
      and s."value" -> 'sendToEmail' = 'true'
    where u."email" <> '' and not u."deleted" and not u."isBlocked"
      and exists (select 1 from notifications n where n."idUser" = u."id" and ${waiting})
      and not exists (select 1 from notifications m where m."idUser" = u."id"
        and m."dateMailed" > now() - make_interval(mins => ${WAIT_MINUTES}))
    order by u."id"`)
  for (const person of people) {
    const outcome = await sendTo(app, mailer, person).catch((error) => {
      app.log.error({ err: error, idUser: person.idUser }, 'letter')
      return 'failed' as const
    })
    // The server is unavailable, or temporarily refuses: the others would fail too.
    if (outcome === 'later') return
  }
}

/** SQL condition: the notice `n` is to be mailed. */
const waiting = sql`n."dateRead" is null and n."dateMailed" is null and not n."deleted"
  and n."dateCreate" < now() - make_interval(mins => ${WAIT_MINUTES})
  and n."dateCreate" > now() - make_interval(hours => ${KEPT_HOURS})`

interface Line {
  id: number
  title: string
  text: string | null
  link: string | null
}

/**
 * Notices are marked before sending, and unmarked only if the mail was certainly not sent. Of two concurrent processes
 * one takes all of them, so that there are no two mails.
 */
async function sendTo(app: AppContext, mailer: Mailer, { idUser, email }: Person) {
  const lines = await app.db.query<Line>(sql`
    with mine as materialized (select pg_try_advisory_xact_lock(hashtextextended('letter ' || ${idUser}::text, 0)) as ok),
    taken as (select n."id" from notifications n, mine
      where mine.ok and n."idUser" = ${idUser} and ${waiting} for update of n skip locked),
    made as (update notifications n set "dateMailed" = now() from taken where n."id" = taken."id" returning n.*)
    select "id", "title", "text", "link" from made order by "id"`)
  if (lines.length === 0) return 'sent'
  const { productName } = await readCommonSettings(app.db)
  const { outcome, error } = await sendLetter(
    app,
    mailer,
    {
      operation: 'Письмо о непрочитанном',
      key: `letter-${idUser}-${lines[0]?.id}`,
      about: { path: 'users', id: idUser },
    },
    letter(email, productName, lines, app.config.publicUrl),
  )
  if (outcome === 'sent') return outcome
  app.log.warn({ err: error, idUser, outcome }, 'letter')
  if (outcome === 'later') {
    await app.db.query(
      sql`update notifications set "dateMailed" = null where "id" = any(${lines.map((line) => line.id)}::bigint[])`,
    )
  }
  return outcome
}

/** The subject has the number of notices, and none of their text. */
function letter(to: string, product: string, lines: readonly Line[], publicUrl: string): Letter {
  const app = `${publicUrl}/app`
  const shown = lines.slice(0, MAX_LINES)
  const rest = lines.length - shown.length
  const more = rest > 0 ? `И ещё ${rest}.` : ''
  const bye = 'Письма можно отключить в профиле, на вкладке «Уведомления».'
  const urlOf = ({ link }: Line) => (link ? app + link : app)
  const said = ({ title, text }: Line) => (text && !title.includes(text) ? text : '')
  const text = shown.map((line) => [line.title, said(line), urlOf(line)].filter(Boolean).join('\n'))
  const html = shown.map(
    (line) =>
      `<p><a href="${escaped(urlOf(line))}"><b>${escaped(line.title)}</b></a><br>${escaped(said(line)).replaceAll('\n', '<br>')}</p>`,
  )
  return {
    to,
    subject: `${product}: ${lines.length} ${plural(lines.length, ['новое уведомление', 'новых уведомления', 'новых уведомлений'])}`,
    text: [...text, more, bye].filter(Boolean).join('\n\n'),
    html: `<div style="font-family:sans-serif;font-size:14px;line-height:20px">${html.join('')}<p>${more}</p><p style="color:#666">${bye}</p></div>`,
  }
}
