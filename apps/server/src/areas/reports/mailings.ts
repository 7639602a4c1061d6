/**
 * Reports by mail. A mail is built with the recipient's rights at the time of sending: the same figures, rows and file
 * as on that user's screen. Each mail is a record, sent by the outbox, so that none is sent twice.
 */

import { buffer } from 'node:stream/consumers'
import { reportCatalogueCalls } from '@ordinator/model/areas/reports/calls'
import { keepsMailings, nextSending, ReportMailing, ReportSending } from '@ordinator/model/areas/reports/mailing'
import type { Row } from '@ordinator/model/entity'
import { counted, formatDay } from '@ordinator/model/format'
import { pageByKey, pageRefusal } from '@ordinator/model/pages'
import { namesPatients, type Report, shownMeasures } from '@ordinator/model/report'
import type { ReportFigures } from '@ordinator/model/reportCalls'
import { type Period, presetPeriod } from '@ordinator/model/reportPeriod'
import { reportAt } from '@ordinator/model/reports'
import { measureText } from '@ordinator/model/reportText'
import { dayIn } from '@ordinator/model/zone'
import sql, { raw } from 'sql-template-tag'
import { mailerOf, readCommonSettings } from '#areas/settings/index.ts'
import { shortFioSql } from '#areas/staff/index.ts'
import { actorOfUser, holdsSql } from '#auth/index.ts'
import { isTimeout, type Tx } from '#platform/db.ts'
import { HttpError, ValidationError } from '#platform/errors.ts'
import { type Letter, type Mailer, mailed } from '#platform/mail.ts'
import type { OutboxAdapter } from '#platform/outbox.ts'
import { mustBeFresh, type ServerActor, systemActor } from '#records/actor.ts'
import type { AppContext, Work } from '#records/context.ts'
import { records } from '#records/define.ts'
import { oneByOne } from '#records/oneByOne.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { escaped } from '#records/sanitize.ts'
import { readFigures, readingOf, readRows } from './figures.ts'
import { figuresTable, filterWords, reportAbout, reportPaper, rowsTable } from './file.ts'
import { journal } from './journal.ts'
import { checkedAsk, checkedQuery } from './runs.ts'

type Mailing = Row<typeof ReportMailing>
type Sending = Row<typeof ReportSending>

/** Maximum number of recipients, and of bytes of a file: mail servers reject larger ones. */
const MAX_RECIPIENTS = 50
const MAX_FILE = 10 * 1024 * 1024

export const reportMailings = records(ReportMailing, {
  scope: {
    view: ({ row, me }) =>
      sql`(${row}."idAuthor" = ${me} or (select ${holdsSql(me, 'viewKpiReport')} or ${holdsSql(me, 'mainSettings')}))`,
  },
  hooks: {
    prepare(value, before) {
      const { recipients = [] } = { ...before, ...value }
      if (recipients.length > MAX_RECIPIENTS)
        throw new ValidationError([{ field: 'recipients', message: `Не больше ${MAX_RECIPIENTS} получателей` }])
      if (recipients.length === 0)
        throw new ValidationError([{ field: 'recipients', message: 'Выберите, кому присылать' }])
      const { what, format } = { ...before, ...value }
      if (what === 'rows' && format === 'pdf')
        throw new ValidationError([{ field: 'format', message: 'Все строки присылаются в XLSX или CSV' }])
    },
    async beforeCreate({ actor, tx }, value) {
      if (!actor.system) checkAsk(value as Mailing, actor)
      Object.assign(value, { nextAt: await nextOf(tx, value as Mailing) })
    },
    async beforeUpdate({ actor, tx }, value, before) {
      const next = { ...before, ...value }
      if (!actor.system && ['asked', 'report', 'what', 'recipients'].some((name) => name in value))
        checkAsk(next as Mailing, actor)
      const isMoved = ['rhythm', 'hour', 'active'].some((name) => name in value)
      if (isMoved) Object.assign(value, { nextAt: await nextOf(tx, next as Mailing) })
    },
  },
})

export const reportSendings = records(ReportSending)

/** @throws ValidationError for a request without the right; HttpError 403 `proof` if its file will name patients */
function checkAsk({ report: key, asked, what }: Mailing, actor: ServerActor): void {
  const report = reportAt(key)
  if (!report || pageRefusal(pageByKey(report.page), actor))
    throw new ValidationError([{ field: 'report', message: 'Нет прав на этот отчёт' }])
  try {
    const { by } = checkedQuery(report, asked, actor)
    if (namesPatients(report, what ?? 'figures', by)) mustBeFresh(actor)
  } catch (error) {
    if (error instanceof HttpError && error.status === 400)
      throw new ValidationError([{ field: 'asked', message: error.message }])
    throw error
  }
}

const zoneOf = async (db: Parameters<typeof readCommonSettings>[0]): Promise<string> =>
  (await readCommonSettings(db)).timeZone

const nextOf = async (tx: Tx, { rhythm, hour, active }: Mailing): Promise<string | null> =>
  active === false ? null : nextSending({ rhythm: rhythm ?? 'workday', hour: hour ?? 8 }, await zoneOf(tx), new Date())

const LANE = 'mail.reports'

/** The job `reports.mail`, which finds due mailings, and their mails on the outbox. */
export function startMailings(app: AppContext): void {
  app.outbox.register(reportMails(app))
  app.jobs.register('reports.mail', { cron: '*/5 * * * *', handler: () => dispatch(app) })
}

/** Sends the due mailings, each in a transaction of its own: what stops one leaves the others. */
async function dispatch(app: AppContext): Promise<void> {
  const system = app.engine.for(systemActor)
  const due = await app.db.query<{ id: number }>(sql`select "id"::int as id from reports_mailings
    where "active" and not "deleted" and "nextAt" <= now() order by "nextAt" limit 50`)
  const failed = await oneByOne(app, 'reports.mail', due, ({ id }) =>
    system.tx(async (engine, tx) => {
      const mailing = await tx.one<Mailing>(sql`select * from reports_mailings where "id" = ${id}
        and "active" and not "deleted" and "nextAt" <= now() for update skip locked`)
      if (!mailing) return
      const missed = await queue(app, engine, tx, mailing)
      await engine.asSystem.update(ReportMailing, id, { missed, nextAt: await nextOf(tx, mailing) })
    }),
  )
  const left = failed.map((id) => ({ id: Number(id) }))
  await oneByOne(app, 'reports.mail', left, async ({ id }) => {
    await system.asSystem.update(ReportMailing, id, { missed: 'Письма не собраны: ошибка сервера, повторяем' })
  })
}

/**
 * Queues a mail to each recipient who still works here, for the period by the clinic's day.
 * @returns who gets none, in words; null: all get theirs
 */
async function queue(app: AppContext, engine: Records, tx: Tx, mailing: Mailing): Promise<string | null> {
  const { from, until } = presetPeriod(mailing.period, dayIn(await zoneOf(tx), Date.now()))
  const people = await tx.query<{ id: number; name: string; isGone: boolean }>(sql`
    select u."id"::int as id, ${shortFioSql(raw('u'))} as name, u."deleted" as "isGone" from users u
    where u."id" = any (${mailing.recipients}::bigint[]) order by u."surname", u."id"`)
  for (const { id: idUser, isGone } of people) {
    if (isGone) continue
    const { id } = await engine.asSystem.create(ReportSending, { idMailing: mailing.id, idUser, from, until })
    await app.outbox.add(tx, {
      adapter: 'mail',
      lane: LANE,
      operation: 'report',
      title: 'Отчёт по почте',
      key: `report-${id}`,
      about: { path: 'users', id: idUser },
      payload: { id },
    })
  }
  const gone = people.filter(({ isGone }) => isGone)
  if (gone.length === people.length) return 'Никому: получатели больше не работают'
  return gone.length ? `Больше не работает: ${gone.map(({ name }) => name).join(', ')}`.slice(0, 500) : null
}

export const mailNow = operation(reportCatalogueCalls.mailNow, ({ app, actor, params }) =>
  app.engine.for(actor).tx(async (engine, tx) => {
    const mailing = await engine.row(ReportMailing, params.id)
    if (mailing.idAuthor !== actor.id && !keepsMailings(actor))
      throw new HttpError(403, 'Рассылку завёл другой сотрудник')
    return engine.asSystem.update(ReportMailing, mailing.id, { missed: await queue(app, engine, tx, mailing) })
  }),
)

/** What a mail has become, for its record. Absent: a person has decided. */
type SendingState = Partial<Pick<Sending, 'state' | 'rows' | 'message'>>

const NOT_TAKEN = 'Почта не приняла письмо'

const reportMails = (app: AppContext): OutboxAdapter<Work, { id: number }> => ({
  code: 'mail',
  lane: LANE,
  // Reports are counted one after another.
  atOnce: 1,
  async send({ payload: { id } }, run) {
    const sending = await app.db.one<Sending>(
      sql`select * from reports_sendings where "id" = ${id} and "state" in ('waiting', 'sending')`,
    )
    if (!sending) return { kind: 'done', note: 'Письмо уже не нужно' }
    await app.engine.for(systemActor).asSystem.update(ReportSending, id, { state: 'sending' })
    const made = await make(app, sending)
    if ('state' in made) {
      if (made.state === 'empty') return { kind: 'done', note: 'Данных нет', result: made satisfies SendingState }
      return { kind: 'refused', reasons: [{ message: made.message ?? '' }], result: made satisfies SendingState }
    }
    const { mailer, letter, rows } = made
    await run.remember({ isGiven: true })
    const outcome = await mailed(app.log, mailer, letter)
    const as = (state: SendingState): SendingState => ({ rows, ...state })
    if (outcome.kind === 'done') return { ...outcome, result: as({ state: 'sent', message: null }) }
    if (outcome.kind === 'refused')
      return { ...outcome, result: as({ state: 'failed', message: 'Почта отказала в этом письме' }) }
    if (outcome.kind === 'unknown') return { ...outcome, isForPerson: true, result: as({ state: 'unknown' }) }
    return { ...outcome, result: { state: 'waiting', message: `${NOT_TAKEN}, повторим` } satisfies SendingState }
  },
  // A mail server cannot be queried.
  ask: async ({ memo }) =>
    memo
      ? {
          kind: 'unknown',
          isForPerson: true,
          error: 'Почта не ответила: письмо могло уйти',
          result: { state: 'unknown' },
        }
      : { kind: 'absent' },
  async settled({ records: engine, tx }, { payload: { id } }, { state, error, result }) {
    const now = await tx.one<Sending>(sql`select * from reports_sendings where "id" = ${id} for update`)
    if (!now) return
    const byState: SendingState = {
      state: state === 'done' ? 'sent' : state === 'waiting' || state === 'unknown' ? state : 'failed',
      message: error,
    }
    const final = (result as SendingState | undefined) ?? byState
    const isOver = state === 'dead' && final.state === 'waiting'
    const value = isOver ? { ...final, state: 'failed' as const, message: NOT_TAKEN } : final
    const dateEnd = value.state === 'waiting' ? null : new Date().toISOString()
    await engine.asSystem.update(ReportSending, id, { ...value, dateEnd })
  },
})

/** @returns the mail with the recipient's rights, or why there is none */
async function make(
  app: AppContext,
  sending: Sending,
): Promise<
  { mailer: Mailer; letter: Letter; rows: number } | (SendingState & { state: 'refused' | 'failed' | 'empty' })
> {
  // It may have waited for the mail server for hours: deleted, or without this recipient, the mailing sends nothing more.
  const mailing = await app.db.one<Mailing>(sql`select * from reports_mailings where "id" = ${sending.idMailing}
    and not "deleted" and ${sending.idUser}::bigint = any ("recipients")`)
  const person = await app.db.one<{ email: string | null }>(
    sql`select "email" from users where "id" = ${sending.idUser} and not "deleted" and not "isBlocked"`,
  )
  const actor = person && (await actorOfUser(app.db, sending.idUser))
  const mailer = await mailerOf(app)
  if (!mailing) return { state: 'refused', message: 'Рассылку удалили, или получателя из неё убрали' }
  if (!actor) return { state: 'refused', message: 'Сотрудник больше не работает' }
  if (!person.email) return { state: 'failed', message: 'У сотрудника не указана почта' }
  if (!mailer) return { state: 'failed', message: 'Почта не подключена: Настройки → Почта' }
  try {
    const { letter, rows } = await letterOf(app, mailing, sending, actor, person.email)
    return letter ? { mailer, letter, rows } : { state: 'empty', rows }
  } catch (error) {
    if (error instanceof HttpError && error.status === 403)
      return { state: 'refused', message: 'Нет прав на этот отчёт' }
    const words = isTimeout(error)
      ? 'Отчёт считается слишком долго: сузьте период'
      : error instanceof HttpError
        ? error.message
        : 'Отчёт не удалось собрать'
    app.log.warn({ err: error, id: sending.id }, 'report letter')
    return { state: 'failed', message: words.slice(0, 500) }
  }
}

/** @returns no mail if there is no data and the mailing skips empty ones; @throws HttpError 403 without the right */
async function letterOf(
  app: AppContext,
  mailing: Mailing,
  { from, until }: Sending,
  actor: ServerActor,
  to: string,
): Promise<{ letter: Letter | undefined; rows: number }> {
  const { source, filter, by, query } = checkedAsk(app, mailing.report, { ...mailing.asked, from, until }, actor)
  const { report } = source
  const reading = readingOf(app, actor)
  const { total: rows } = await readRows(reading, source, filter, {}, { page: 1, limit: 1 })
  if (rows === 0 && mailing.ifEmpty === 'skip') return { letter: undefined, rows }
  const figures = await readFigures(reading, source, filter, by, query.compare)
  const isRows = mailing.what === 'rows'
  const content = rows === 0 ? undefined : await fileOf(app, mailing, { source, filter, figures, actor })
  if (content && isRows && report.patient) await journal(app, actor, 'export', `reports/${report.key}`, [])
  const { productName } = await readCommonSettings(app.db)
  const words = await filterWords(app, report, filter, actor)
  const period: Period = filter
  const name = `${report.title} ${report.isNow ? '' : `${formatDay(period.from)}–${formatDay(period.until)}`}`.trim()
  const fits = content && content.length <= MAX_FILE
  return {
    rows,
    letter: {
      to,
      subject: `${productName}: ${mailing.name}`,
      ...bodyOf(report, {
        words,
        figures,
        rows,
        link: linkOf(app, report, mailing, period),
        note: content && !fits ? 'Файл больше 10 МБ и в письмо не вошёл: скачайте его по ссылке.' : '',
      }),
      ...(fits && { attachments: [{ filename: `${name}.${mailing.format}`, content }] }),
    },
  }
}

type Made = Pick<ReturnType<typeof checkedAsk>, 'source' | 'filter'> & { figures: ReportFigures; actor: ServerActor }

async function fileOf(app: AppContext, { what, format }: Mailing, { source, filter, figures, actor }: Made) {
  if (format === 'pdf') return Buffer.from(await reportPaper(app, { source, filter, actor, figures }))
  const table =
    what === 'rows'
      ? rowsTable(source, filter, {}, { actor, registry: app.registry })
      : figuresTable(source.report, figures)
  const about = await reportAbout(app, source.report, filter, actor)
  return buffer(
    await app.exporter.run({ ...table, timeZone: actor.timeZone, format, about }, `report-mail-${actor.id}`),
  )
}

/** Link to the report of the mail, for signed-in users. */
function linkOf(
  { config }: Pick<AppContext, 'config'>,
  { key, isNow }: Report,
  { asked }: Mailing,
  { from, until }: Period,
) {
  const search = new URLSearchParams({ tab: key, ...(isNow ? {} : { from, until }) })
  const { filial, by, compare, is, ...rest } = (asked ?? {}) as Record<string, unknown>
  if (filial) search.set('filial', JSON.stringify(String(filial).split(',').map(Number)))
  if (by) search.set('by', String(by))
  if (compare) search.set('compare', String(compare))
  if (is) search.set('is', JSON.stringify([is].flat()))
  for (const [name, value] of Object.entries(rest)) if (typeof value === 'string') search.set(name, value)
  return `${config.publicUrl}/app/reports?${search}`
}

interface LetterParts {
  words: readonly [string, string][]
  figures: ReportFigures
  rows: number
  link: string
  note: string
}

/** The filter, the totals and the link: as text and as HTML. */
function bodyOf(report: Report, { words, figures, rows, link, note }: LetterParts): Pick<Letter, 'text' | 'html'> {
  const totals = shownMeasures(report).map(
    ([name, { label, unit }]) => [label, measureText(unit, figures.total.values[name])] as const,
  )
  const found =
    rows === 0 ? 'За этот период данных нет.' : `Посчитано по ${counted(rows, ['строке', 'строкам', 'строкам'])}.`
  const lines = [
    report.title,
    ...words.map(([label, value]) => `${label}: ${value}`),
    '',
    ...(rows === 0 ? [] : totals.map(([label, value]) => `${label}: ${value}`)),
    found,
    note,
    link,
    report.hint,
  ]
  const row = ([label, value]: readonly [string, string]) =>
    `<tr><td style="padding:2px 16px 2px 0;color:#555">${escaped(label)}</td><td style="padding:2px 0"><b>${escaped(value)}</b></td></tr>`
  return {
    text: lines.filter((line, at) => line !== '' || at > 0).join('\n'),
    html: `<div style="font-family:sans-serif;font-size:14px;line-height:20px"><h2 style="font-size:18px">${escaped(report.title)}</h2>
      <table>${words.map(row).join('')}</table>${rows === 0 ? '' : `<h3 style="font-size:14px">Итого</h3><table>${totals.map(row).join('')}</table>`}
      <p>${escaped(found)} ${escaped(note)}</p><p><a href="${escaped(link)}">Открыть отчёт с этим отбором</a></p>
      <p style="color:#666">${escaped(report.hint)}</p></div>`,
  }
}
