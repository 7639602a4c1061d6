/** Runs of a move: the rehearsal, the run, stop, resume, drop and revert. */
import { movingCalls } from '@ordinator/model/areas/moving/calls'
import { isMoveBusy, Move, MoveFile, type MoveFileState } from '@ordinator/model/areas/moving/move'
import sql from 'sql-template-tag'
import { HttpError, ValidationError } from '#platform/errors.ts'
import type { AppContext } from '#records/context.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { removeFiles } from '#records/trash.ts'
import { lockFile } from './calls.ts'
import { isNameEnough, signNames } from './persons.ts'
import { BUYER, PATIENT } from './refs.ts'
import { refuseWorked } from './revert.ts'
import { movingTable } from './tables/index.ts'

/** Begins a step of a file with all required columns matched. */
const begin = (
  app: AppContext,
  records: Records,
  id: number,
  { from, refusal, job, state }: { from: readonly string[]; refusal: string; job: string; state: MoveFileState },
) =>
  records.tx(async (inside, tx) => {
    const file = await lockFile(tx, id, from, refusal)
    const { columns } = movingTable(app, file.table)
    const isMapped = (name: string) => file.mapping?.[name] !== undefined
    const missing = columns.filter(({ name, required }) => required && !isMapped(name))
    const code = columns.find(({ name }) => name === PATIENT || name === BUYER)?.name
    const needed = isNameEnough(file.table) ? 1 : 2
    if (code && !isMapped(code) && signNames.filter(isMapped).length < needed)
      throw new ValidationError([
        {
          field: `mapping.${code}`,
          message: `Укажите колонку файла для «${code}» или для ${needed === 1 ? 'приметы' : 'двух примет'} пациента: телефона, ФИО, даты рождения, номера карты, СНИЛС, полиса`,
        },
      ])
    if (missing.length > 0)
      throw new ValidationError(
        missing.map(({ name }) => ({ field: `mapping.${name}`, message: `Укажите колонку файла для «${name}»` })),
      )
    await app.jobs.send(job, { id }, { tx })
    return inside.asSystem.update(MoveFile, id, { state, done: 0, message: null })
  })

export const rehearse = operation(movingCalls.rehearse, ({ app, records, params: { id } }) =>
  begin(app, records, id, {
    from: ['ready', 'checked'],
    refusal: 'Файл уже загружен или ещё читается',
    job: 'moving.rehearse',
    state: 'checking',
  }),
)

export const run = operation(movingCalls.run, ({ app, records, params: { id } }) =>
  begin(app, records, id, {
    from: ['checked'],
    refusal: 'Сначала проверьте файл: репетиция покажет, что войдёт',
    job: 'moving.run',
    state: 'running',
  }),
)

export const cancel = operation(movingCalls.cancel, ({ app, records, params: { id } }) =>
  records.tx(async (inside, tx) => {
    const file = await lockFile(tx, id, ['checking', 'running', 'stopped'], 'Останавливать нечего: работа уже окончена')
    const step =
      file.state === 'stopped'
        ? (await tx.one<{ state: string }>(sql`select "state" from moving_tries where "idFile" = ${id}`))?.state
        : file.state
    if (step === 'reading') return inside.asSystem.update(MoveFile, id, { state: 'failed' })
    if (step === 'checking') return inside.asSystem.update(MoveFile, id, { state: 'ready', done: 0 })
    await app.jobs.send('moving.revert', { ids: [id] }, { tx })
    return inside.asSystem.update(MoveFile, id, { state: 'reverting' })
  }),
)

export const resume = operation(movingCalls.resume, ({ app, records, params: { id } }) =>
  records.tx(async (inside, tx) => {
    await lockFile(tx, id, ['stopped'], 'Продолжать нечего: работа не останавливалась')
    const stopped = await tx.one<{ state: string }>(
      sql`update moving_tries set "tries" = 0 where "idFile" = ${id} returning "state"`,
    )
    const state = (stopped?.state ?? 'reading') as keyof typeof jobOf
    await app.jobs.send(jobOf[state], state === 'reverting' ? { ids: [id] } : { id }, { tx })
    return inside.asSystem.update(MoveFile, id, { state, message: null })
  }),
)

/** The job of each step. */
const jobOf = {
  reading: 'moving.read',
  checking: 'moving.rehearse',
  running: 'moving.run',
  reverting: 'moving.revert',
} as const

export const drop = operation(movingCalls.drop, ({ app, records, params: { id } }) =>
  records.tx(async (inside, tx) => {
    const file = await lockFile(tx, id, ['ready', 'checked', 'failed', 'reverted'], 'Загруженный файл сначала отменяют')
    await tx.query(sql`delete from moving_rows where "idFile" = ${id}`)
    await inside.asSystem.remove(MoveFile, id)
    if (file.key !== null) await removeFiles(app, tx, [file.key])
    return file as never
  }),
)

export const revert = operation(movingCalls.revert, async ({ app, records, params: { id } }) => {
  await refuseWorked(app.db, app.registry, [id])
  return records.tx(async (inside, tx) => {
    await lockFile(tx, id, ['done'], 'Отменять нечего: файл не загружен')
    await app.jobs.send('moving.revert', { ids: [id] }, { tx })
    return inside.asSystem.update(MoveFile, id, { state: 'reverting' })
  })
})

export const revertAll = operation(movingCalls.revertAll, async ({ app, records, params: { id } }) => {
  await records.row(Move, id)
  const files = await app.db.query<{ id: number; state: MoveFileState }>(sql`
    select "id", "state" from moving_files where "idMove" = ${id} and not "deleted" order by "dateEnd" desc nulls last, "id" desc`)
  if (files.some(({ state }) => isMoveBusy(state)))
    throw new HttpError(409, 'Дождитесь конца работы над файлами или остановите её', { code: 'state' })
  const ids = files.filter(({ state }) => state === 'done').map((file) => file.id)
  if (ids.length === 0) return { files: 0 }
  await refuseWorked(app.db, app.registry, ids)
  return records.tx(async (inside, tx) => {
    for (const one of ids) {
      await lockFile(tx, one, ['done'], 'Файл уже отменяется')
      await inside.asSystem.update(MoveFile, one, { state: 'reverting' })
    }
    await app.jobs.send('moving.revert', { ids }, { tx })
    return { files: ids.length }
  })
})
