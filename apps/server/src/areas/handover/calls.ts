/** Handovers of a branch: begun, stopped, downloaded. */
import { Filial } from '@ordinator/model/areas/filials/filial'
import { handoverCalls } from '@ordinator/model/areas/handover/calls'
import { FilialHandover, handoverWho } from '@ordinator/model/areas/handover/handover'
import sql from 'sql-template-tag'
import { disposition } from '#platform/disposition.ts'
import { HttpError, notFound } from '#platform/errors.ts'
import { journal, journalActor } from '#records/journal.ts'
import { operation } from '#records/operation.ts'
import { handovers, keyOf } from './run.ts'

export const handOver = operation(handoverCalls.handOver, ({ app, actor, records, params: { id }, body: { who } }) =>
  records.tx(async (inside, tx) => {
    const filial = await inside.row(Filial, id)
    await tx.query(sql`select pg_advisory_xact_lock(hashtextextended('handover of a branch', ${id}))`)
    if (
      await tx.one(
        sql`select 1 from filials_handovers where "idFilial" = ${id} and "state" = 'running' and not "deleted"`,
      )
    )
      throw new HttpError(409, 'Данные этого филиала уже собираются: дождитесь или остановите', { code: 'running' })
    const made = await inside.asSystem.create(FilialHandover, { idFilial: id, who })
    await handovers.queue(app, tx, made.id)
    await journal(tx, {
      ...journalActor(actor),
      action: 'export',
      entityType: FilialHandover.path,
      idEntity: made.id,
      basis: `Передача филиала «${filial.nameFilial}»: ${handoverWho[who].toLowerCase()}`,
    })
    return made
  }),
)

export const cancelHandover = operation(handoverCalls.cancelHandover, ({ records, params: { id } }) =>
  records.tx(async (inside, tx) => {
    await inside.row(FilialHandover, id)
    return handovers.cancel(
      inside,
      tx,
      id,
      { state: 'cancelled', stage: null, dateEnd: new Date().toISOString() },
      'Данные уже не собираются',
    )
  }),
)

export const handoverFile = operation(
  handoverCalls.handoverFile,
  async ({ app, actor, records, params: { id, number }, reply }) => {
    const made = await records.row(FilialHandover, id)
    const file = made.files?.[number - 1]
    if (made.state === 'gone') throw notFound('Срок хранения прошёл: соберите данные ещё раз')
    if (made.state !== 'done' || !file) throw notFound('Такого файла нет')
    await app.journal({
      ...journalActor(actor),
      action: 'export',
      entityType: FilialHandover.path,
      idEntity: id,
      basis: `Скачан файл «${file.name}»`,
    })
    return reply
      .header('content-disposition', disposition('attachment', file.name))
      .type('application/zip')
      .send(await app.files.get(keyOf(id, number)))
  },
)
