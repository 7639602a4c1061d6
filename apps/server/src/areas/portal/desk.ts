/**
 * Staff operations from a dialogue with a patient: create a task, and list documents and payments of the patient's
 * portal.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { allowed, can } from '@ordinator/model/access'
import { OnlineDialog, OnlineFile } from '@ordinator/model/areas/chats/online'
import { moneyView } from '@ordinator/model/areas/money/desk'
import { deskCalls } from '@ordinator/model/areas/portal/deskCalls'
import { paperKinds } from '@ordinator/model/areas/portal/paperCalls'
import { asPerson, keep, withinQuota } from '#areas/files/index.ts'
import { billOf } from '#areas/money/index.ts'
import { readCommonSettings } from '#areas/settings/index.ts'
import { taskFrom } from '#areas/tasks/index.ts'
import { journal, journalActor } from '#records/journal.ts'
import { operation } from '#records/operation.ts'
import { entityOf, mustBeOpen, paperFor, papersOf } from './papers.ts'

/** Maximum number of documents to choose from: the newest. */
const MOST = 20

const things = operation(deskCalls.things, async ({ app, actor, records, params }) => {
  const { idCustomer } = await records.row(OnlineDialog, params.id)
  const { portalActions } = await readCommonSettings(app.db)
  const papers = portalActions.includes('papers')
    ? (await papersOf(app.db, idCustomer, MOST)).filter(({ kind }) => can(actor, 'view', entityOf(kind)))
    : []
  const bill = allowed(actor, moneyView) ? await billOf(app, idCustomer) : undefined
  const sum = (bill?.lines ?? []).reduce((all, { rest }) => all + Math.round(rest * 100), 0) / 100
  await journal(app.db, {
    ...journalActor(actor),
    action: 'view',
    entityType: OnlineDialog.path,
    idEntity: params.id,
    idCustomer,
    basis: 'Документы и счёт для ответа пациенту',
  })
  return {
    papers: papers.map(({ kind, id, name, day }) => ({ kind, id, name, day })),
    unpaid: sum > 0 ? { count: bill?.lines.length ?? 0, sum } : null,
  }
})

const attach = operation(deskCalls.attach, async ({ app, actor, records, params, body: { kind, id }, reply }) => {
  const { idCustomer } = await records.row(OnlineDialog, params.id)
  await mustBeOpen(app.db, 'papers')
  const bytes = await paperFor(app, records, kind, id, idCustomer)
  const name = `${paperKinds[kind]} ${id}.pdf`
  const file = await app.scratch.use(async (folder) => {
    const path = join(folder, 'paper')
    await writeFile(path, bytes)
    const received = { path, size: bytes.byteLength, name }
    return withinQuota(app, [asPerson(app, actor)], received.size, () => keep(OnlineFile, app, records, received))
  })
  await journal(app.db, {
    ...journalActor(actor),
    action: 'print',
    entityType: entityOf(kind).path,
    idEntity: id,
    idCustomer,
    basis: 'Файл для ответа пациенту',
  })
  return reply.code(201).send({ id: file.id as number, name: String(file.name) })
})

const task = operation(deskCalls.task, async ({ records, params, body, reply }) => {
  const made = await records.tx(async (inner) => {
    const { idCustomer } = await inner.row(OnlineDialog, params.id)
    return { id: await taskFrom(inner, { ...body, idCustomer }) }
  })
  return reply.code(201).send(made)
})

export const deskOperations = [things, attach, task]
