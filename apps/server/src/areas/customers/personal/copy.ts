/** All data of a patient in one archive: what a clinic gives at the patient's request (152-ФЗ, ст. 14, ч. 7). */

import { Readable } from 'node:stream'
import { customerCalls } from '@ordinator/model/areas/customers/calls'
import { Customer } from '@ordinator/model/areas/customers/customer'
import type { Entity } from '@ordinator/model/entity'
import { isRef } from '@ordinator/model/fields/ref'
import sql, { empty, type Sql } from 'sql-template-tag'
import { type StreamedFile, zipStream } from '#platform/zipStream.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import type { Definition } from '#records/define.ts'
import { exportBytes } from '#records/export.ts'
import { journalActor } from '#records/journal.ts'
import { operation } from '#records/operation.ts'
import { name } from '#records/plan.ts'
import { belongsTo, filterOf } from './belonging.ts'

export const personalCopy = operation(
  customerCalls.personalCopy,
  async ({ app, actor, records, params: { id }, reply }) => {
    const card = await records.row(Customer, id)
    await records.mustOpen(Customer, id)
    await app.journal({
      ...journalActor(actor),
      action: 'export',
      entityType: Customer.path,
      idEntity: id,
      idCustomer: id,
      basis: 'Все данные клиента одним архивом',
    })
    const file = `Данные — ${card.fio}.zip`
    return reply
      .header(
        'content-disposition',
        `attachment; filename="personal-data.zip"; filename*=UTF-8''${encodeURIComponent(file)}`,
      )
      .type('application/zip')
      .send(Readable.from(zipStream(filesOf(app, id, actor.timeZone))))
  },
)

async function* filesOf(app: AppContext, id: number, timeZone: string): AsyncGenerator<StreamedFile> {
  const { registry } = app
  const actor = { ...systemActor, timeZone }
  const titles = new Set<string>()
  for (const d of registry.definitions) {
    const isCard = d.entity === Customer
    const where = isCard ? sql`"id" = ${id}` : belongsTo(registry, d, [id])
    const params = isCard ? { 'filter[id]': `${id}` } : filterOf(registry, d, id)
    if (!where || !params || !(await hasRows(app, d, where))) continue
    const [label] = d.entity.label
    const title = titles.has(label) ? `${label} (${d.entity.path.replaceAll('/', ' ')})` : label
    titles.add(label)
    yield {
      name: `${title}.csv`,
      content: await exportBytes(app, d, actor, { ...params, format: 'csv' }, `personal-${id}`),
    }
    yield* filesBehind(app, d, where, title)
  }
}

const hasRows = async (app: AppContext, { entity }: Definition, where: Sql): Promise<boolean> =>
  (await app.db.one(sql`select 1 from ${name(entity.table)} where ${where} ${living(entity)} limit 1`)) !== undefined

const living = ({ soft }: Entity): Sql => (soft ? sql`and not "deleted"` : empty)

/** Stored files to which the rows refer, in a folder of the entity's name. */
async function* filesBehind(
  app: AppContext,
  { entity }: Definition,
  where: Sql,
  folder: string,
): AsyncGenerator<StreamedFile> {
  for (const [by, f] of Object.entries(entity.fields)) {
    const target = isRef(f) && !f.options.virtual && !f.options.computed ? app.registry.at(f.to).entity : undefined
    if (!target?.upload) continue
    const stored = await app.db.query<{ id: number; key: string; title: string }>(sql`
      select "id"::int as id, "key", "name" as title from ${name(target.table)}
      where "id" in (select ${name(by)} from ${name(entity.table)} where ${where} ${living(entity)}) order by "id"`)
    for (const { id, key, title } of stored) {
      const content = await app.files.get(key).catch(() => undefined)
      if (content) yield { name: `${folder}/${id} ${title.replace(/[\\/:*?"<>|]/g, '_')}`, content }
    }
  }
}
