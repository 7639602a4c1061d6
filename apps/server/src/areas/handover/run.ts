/**
 * The data of a branch collected for its buyer, in the background: an archive with the tables of the moving-in, all records
 * and the list of contents, and archives of files. Nothing of the clinic changes by it.
 */
import { createHmac } from 'node:crypto'
import { Readable } from 'node:stream'
import { allowed } from '@ordinator/model/access'
import {
  FilialHandover,
  HANDOVER_DAYS,
  type HandoverFigures,
  type HandoverFile,
} from '@ordinator/model/areas/handover/handover'
import { type MoveTableKey, moveTableKeys } from '@ordinator/model/areas/moving/tables'
import type { Row } from '@ordinator/model/entity'
import { dayIn } from '@ordinator/model/zone'
import sql from 'sql-template-tag'
import { readCommonSettings } from '#areas/settings/index.ts'
import { actorOfUser } from '#auth/index.ts'
import { HttpError } from '#platform/errors.ts'
import { type StreamedFile, zipStream } from '#platform/zipStream.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { oneByOne } from '#records/oneByOne.ts'
import { backgroundRun, RunStopped, type RunWork } from '#records/run.ts'
import { removeFiles } from '#records/trash.ts'
import { contentsText } from './contents.ts'
import { type Group, tableFiles, type Written } from './csv.ts'
import { type Lost, patientZips, recordZips } from './files.ts'
import { namesOf } from './names.ts'
import { paceOf, type Source } from './portions.ts'
import { recordFiles } from './records.ts'
import { customers, performers, policies, relations, services, users } from './tables/base.ts'
import { balances, certificates, stayingMoney } from './tables/money.ts'
import { appointments, cancelledAhead, plans, visits } from './tables/visits.ts'
import { Totals } from './totals.ts'
import { fixPatients, forgetPatients } from './whose.ts'

const TIMEOUT_S = 6 * 3_600
/** Files of a handover: 400 GB of patients' files. */
const MAX_PARTS = 1_000

export const keyOf = (id: number, number: number): string => `handovers/${id}/${number}`

const ended = () => ({ dateEnd: new Date().toISOString() })

/** Removes the files of a handover and its list of patients. Repeatable. */
async function tidy(app: AppContext, { id }: Row<typeof FilialHandover>): Promise<void> {
  await forgetPatients(app.db, id)
  // The main archive is written last: its place may be empty before the others.
  await app.files.remove(keyOf(id, 1))
  for (let number = 2; number <= MAX_PARTS && (await app.files.stat(keyOf(id, number))); number++)
    await app.files.remove(keyOf(id, number))
}

/** Collections of branches. One that was interrupted begins again. */
export const handovers = backgroundRun<typeof FilialHandover>(FilialHandover, {
  job: 'filials.handover',
  going: ['running'],
  seconds: TIMEOUT_S,
  after: 'again',
  begun: { progress: 0, stage: null },
  failed: (message) => ({ state: 'failed', message, stage: null, ...ended() }),
  broken: 'Данные не собраны: попробуйте ещё раз',
  words: (_, error) =>
    error instanceof RangeError && error.message.includes('ZIP')
      ? 'Архив больше 4 ГБ: соберите данные только тех, кто был лишь в этом филиале'
      : (error as NodeJS.ErrnoException).code === 'ENOSPC'
        ? 'На диске кончилось место'
        : undefined,
  tidy,
  async work(app, run) {
    const { row } = run
    const actor = await actorOfUser(app.db, row.idUser ?? 0)
    if (!actor || !allowed(actor, 'handOverFilial'))
      throw new HttpError(403, 'У того, кто начал, больше нет права передавать филиал')
    const filial = await app.db.one<{ name: string; zone: string | null }>(
      sql`select "nameFilial" as name, nullif("timeZone", '') as zone from filials where "id" = ${row.idFilial} and not "deleted"`,
    )
    if (!filial) throw new HttpError(409, 'Филиал удалён')
    await tidy(app, row)
    const zone = filial.zone ?? (await readCommonSettings(app.db)).timeZone
    await run.step({ stage: 'Ищем пациентов филиала', progress: 1 })
    const fixed = await fixPatients(app, row)
    const now = new Date()
    const source: Source = {
      app,
      id: row.id,
      idFilial: row.idFilial,
      // Derived from the secret, so that two clinics never give one code, and both branches of one clinic give the same.
      mark: createHmac('sha256', app.config.secret).update('codes of a handover').digest('hex').slice(0, 8),
      zone,
      now: now.toISOString(),
      day: dayIn(zone, now),
      patients: fixed.patients,
      ...paceOf(run),
    }
    const { files, figures } = await collect(source, run, filial.name, fixed.left)
    if (run.signal.aborted) throw new RunStopped()
    await app.engine.for(systemActor).tx(async (records, tx) => {
      await forgetPatients(tx, row.id)
      const size = files.reduce((all, file) => all + file.size, 0)
      await run.finish(
        {
          ...{ state: 'done', progress: 100, stage: null, patients: fixed.patients },
          ...{ size, files, figures, ...ended() },
        },
        { records, tx },
      )
    })
  },
})

async function collect(
  source: Source,
  run: RunWork<typeof FilialHandover>,
  filial: string,
  leftOut: Awaited<ReturnType<typeof fixPatients>>['left'],
): Promise<{ files: HandoverFile[]; figures: HandoverFigures }> {
  const { app, id } = source
  const { row } = run
  const parts: HandoverFile[] = []
  const put = async (number: number, name: string, bytes: AsyncIterable<Buffer>): Promise<HandoverFile> => {
    if (number > MAX_PARTS)
      throw new HttpError(
        409,
        `Файлов больше, чем в ${MAX_PARTS} архивов: соберите данные только тех, кто был лишь в этом филиале`,
      )
    const size = await app.files.put(keyOf(id, number), Readable.from(bytes))
    return { name, size }
  }
  const written = new Map(moveTableKeys.map((key): [MoveTableKey, Written] => [key, { rows: 0, files: 0 }]))
  const of = (key: MoveTableKey) => written.get(key) as Written
  const [totals, staying] = [new Totals(), new Totals()]
  const lost: Lost = { count: 0 }
  let records = 0
  let figures: HandoverFigures | undefined
  const names = await namesOf(source)
  const basis = `Передача филиала «${filial}» покупателю, № ${id}`
  const tables: Record<Exclude<MoveTableKey, 'files'>, () => AsyncGenerator<Group>> = {
    users: () => users(source, names),
    services: () => services(source, names),
    performers: () => performers(source, names),
    customers: () => customers(source, row.idUser, basis),
    relations: () => relations(source),
    policies: () => policies(source),
    balances: () => balances(source, totals),
    certificates: () => certificates(source, totals),
    visits: () => visits(source, names, totals),
    appointments: () => appointments(source, names),
    plans: () => plans(source, names, totals),
  }
  // Files first: the list of contents in the main archive counts them.
  let number = 1
  for await (const bytes of patientZips(source, of('files'), lost))
    parts.push(await put(++number, `Переезд 12 Файлы пациентов ${of('files').files}.zip`, bytes))
  let others = 0
  for await (const bytes of recordZips(source, lost))
    parts.push(await put(++number, `Файлы записей ${++others}.zip`, bytes))
  const main = await put(1, `Передача — ${filial}.zip`, zipStream(mainArchive()))
  return { files: [main, ...parts], figures: figures as unknown as HandoverFigures }

  async function* mainArchive(): AsyncGenerator<StreamedFile> {
    for (const key of moveTableKeys) if (key !== 'files') yield* tableFiles(app, key, tables[key](), of(key))
    yield* recordFiles(source, (more) => {
      records += more
    })
    await stayingMoney(source, staying)
    const ahead = await cancelledAhead(source)
    figures = {
      tables: moveTableKeys.map((key) => ({ key, ...of(key) })),
      sums: totals.sums(),
      records,
      left: leftWords({ ...leftOut, ahead, lost: lost.count }),
    }
    yield {
      name: 'Опись.txt',
      content: (async function* () {
        yield contentsText({
          filial,
          who: row.who,
          patients: source.patients,
          day: source.day,
          figures: figures as HandoverFigures,
          staying: staying.sums(),
        })
      })(),
    }
  }
}

function leftWords(
  counts: Record<'elsewhere' | 'sealed' | 'revoked' | 'ahead' | 'lost', number>,
): HandoverFigures['left'] {
  const words = {
    elsewhere: 'Пациенты, которые были и в других филиалах: так выбрано при передаче',
    sealed: 'Пациенты, доступ к картам которых ограничен: их карты не были открыты тем, кто передаёт',
    revoked: 'Пациенты, которые отозвали согласие на обработку данных или чьи данные уничтожены',
    ahead: 'Отменённые записи на будущие дни: переезд их не загружает, они есть в папке «записи»',
    lost: 'Файлы, которых нет в хранилище',
  } as const
  return (Object.keys(words) as (keyof typeof words)[]).flatMap((key) =>
    counts[key] > 0 ? [{ words: words[key], count: counts[key] }] : [],
  )
}

/** Removes the files of handovers whose time is over. */
export async function sweep(app: AppContext): Promise<void> {
  const old = await app.db.query<{
    id: number
    files: HandoverFile[] | null
  }>(sql`select "id"::int as id, "files" from filials_handovers
    where "state" = 'done' and "dateEnd" < now() - make_interval(days => ${HANDOVER_DAYS}) limit 100`)
  await oneByOne(app, 'filials.handovers.sweep', old, ({ id, files }) =>
    app.engine.for(systemActor).tx(async (records, tx) => {
      await records.asSystem.update(FilialHandover, id, { state: 'gone' })
      await removeFiles(
        app,
        tx,
        (files ?? []).map((_, at) => keyOf(id, at + 1)),
      )
    }),
  )
}
