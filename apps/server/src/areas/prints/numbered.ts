/**
 * Documents with a number: the data of their parties (clinic, branches, people) is kept at the first print and does
 * not follow later changes. «Перевыпустить» makes a new version with what holds now; the former one stays, with a reason.
 */
import { Filial } from '@ordinator/model/areas/filials/filial'
import { Organization } from '@ordinator/model/areas/filials/organization'
import { printCalls } from '@ordinator/model/areas/prints/calls'
import type { Data, RecordData } from '@ordinator/model/areas/prints/evaluate'
import { PrintTemplate } from '@ordinator/model/areas/prints/printTemplate'
import { printedSettings } from '@ordinator/model/areas/settings/printedSettings'
import { shortFioOf } from '@ordinator/model/areas/staff/names'
import { User } from '@ordinator/model/areas/staff/user'
import { entityAt } from '@ordinator/model/entities'
import { type Entity, relationOf } from '@ordinator/model/entity'
import sql from 'sql-template-tag'
import { nextNumber } from '#areas/filials/index.ts'
import { HttpError } from '#platform/errors.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { entityOf, journalPrint } from './printing.ts'
import { readRecord } from './readings.ts'
import { readTexts } from './templates.ts'

/** The number of a document: assigned at its first print, and constant afterwards. */
export const numberOf = (
  records: Records,
  idTemplate: number,
  idSequence: number,
  idEntity: number,
  idFilial: number | undefined,
): Promise<string> =>
  records.tx(async (_inside, tx) => {
    // Serializes concurrent prints of the same document.
    await tx.query(sql`insert into print_numbers ("idTemplate", "idEntity") values (${idTemplate}, ${idEntity})
      on conflict ("idTemplate", "idEntity") do nothing`)
    const kept = await tx.one<{ number: string | null }>(sql`select "number" from print_numbers
      where "idTemplate" = ${idTemplate} and "idEntity" = ${idEntity} for update`)
    if (kept?.number) return kept.number
    const sequence = await tx.one<{ code: string }>(
      sql`select "code" from sequences where "id" = ${idSequence} and not "deleted"`,
    )
    if (!sequence)
      throw new HttpError(409, 'Нумерацию этого шаблона удалили: выберите другую в настройках', { code: 'sequence' })
    const number = await nextNumber(tx, sequence.code, { idFilial })
    await tx.query(sql`update print_numbers set "number" = ${number}
      where "idTemplate" = ${idTemplate} and "idEntity" = ${idEntity}`)
    return number
  })

/** A document's data of its parties: the clinic, its branches and settings, the patient and other people. */
function isOfParties(entity: Entity, name: string): boolean {
  if (['@organization', '@filial', '@clinic', '@patient', '@doctor', '@signatory'].includes(name)) return true
  if (name.startsWith('@')) return Object.hasOwn(printedSettings, name.slice(1))
  const relation = relationOf(entity, name)
  // The card itself: all but its lists.
  if (!relation) return entity.personal === 'id' && Object.hasOwn(entity.fields, name)
  const to = entityAt(relation.to)
  return to?.personal === 'id' || PARTIES.includes(relation.to)
}
const PARTIES: readonly string[] = [Filial.path, Organization.path, User.path]

interface Numbered {
  idTemplate: number
  entity: Entity
  idEntity: number
}

/**
 * A numbered document with the parties of its first print. Only what the printing user may read is replaced by what was
 * kept.
 * @param former a version that was replaced since
 * @throws HttpError 404 if there is no such version
 */
export async function asMade(
  records: Records,
  { idTemplate, entity, idEntity }: Numbered,
  today: RecordData,
  former?: number,
): Promise<{ data: RecordData; version: number }> {
  const own = Object.fromEntries(
    Object.entries(today.of).filter(([name, data]) => !Array.isArray(data) && isOfParties(entity, name)),
  )
  const { kept, version } = await records.tx(async (_inside, tx) => {
    const before = await tx.one<{ kept: RecordData['of'] | null; version: number }>(sql`select "kept", "version"
      from print_numbers where "idTemplate" = ${idTemplate} and "idEntity" = ${idEntity} for update`)
    const now = before?.version ?? 1
    if (former !== undefined && former !== now) {
      const found = await tx.one<{ kept: RecordData['of'] }>(sql`select "kept" from print_versions
        where "idTemplate" = ${idTemplate} and "idEntity" = ${idEntity} and "version" = ${former}`)
      if (!found) throw new HttpError(404, 'Такой редакции у документа нет')
      return { kept: found.kept, version: former }
    }
    const made = { ...own, ...before?.kept }
    if (Object.keys(made).length > Object.keys(before?.kept ?? {}).length)
      await tx.query(sql`update print_numbers set "kept" = ${JSON.stringify(made)}::jsonb
        where "idTemplate" = ${idTemplate} and "idEntity" = ${idEntity}`)
    return { kept: made, version: now }
  })
  return { data: { ...today, of: { ...today.of, ...keptOf(own, kept) } }, version }
}

/** The data of today, with what was kept in its place. */
function keptOf(today: RecordData['of'], kept: RecordData['of']): RecordData['of'] {
  return Object.fromEntries(
    Object.entries(today).map(([name, now]) => {
      const then = kept[name]
      if (then === undefined) return [name, now]
      const isInner = (data: Data): data is RecordData => !Array.isArray(data) && 'of' in data
      return [name, isInner(now) && isInner(then) ? { ...then, of: keptOf(now.of, then.of) } : then]
    }),
  )
}

export const numbered = operation(printCalls.numbered, async ({ app, records, query }) => {
  await records.mustOpen(entityOf(query.entity), query.record)
  const templates = await records.rows(PrintTemplate, { 'filter[entity]': query.entity, fields: 'id,name', limit: 200 })
  const names = new Map(templates.map(({ id, name }) => [id, name]))
  const found = await app.db.reads.query<{
    idTemplate: number
    number: string
    version: number
    date: string
    former: {
      version: number
      reason: string
      surname: string
      name: string | null
      middleName: string | null
      date: string
    }[]
  }>(sql`select n."idTemplate", n."number", n."version", n."dateCreate" as date,
      coalesce((select jsonb_agg(jsonb_build_object('version', v."version", 'reason', v."reason", 'date', v."dateCreate",
          'surname', u."surname", 'name', u."name", 'middleName', u."middleName") order by v."version" desc)
        from print_versions v join users u on u."id" = v."idUser"
        where v."idTemplate" = n."idTemplate" and v."idEntity" = n."idEntity"), '[]') as former
    from print_numbers n where n."idEntity" = ${query.record} and n."idTemplate" = any (${[...names.keys()]}::bigint[])
      and n."number" is not null order by n."dateCreate"`)
  return {
    items: found.map(({ former, ...one }) => ({
      ...one,
      name: names.get(one.idTemplate) ?? '',
      former: former.map(({ version, reason, date, ...who }) => ({ version, reason, date, by: shortFioOf(who) })),
    })),
  }
})

export const reissue = operation(printCalls.reissue, async ({ app, records, actor, params, body }) => {
  const template = await records.row(PrintTemplate, params.id)
  const entity = entityOf(template.entity)
  // Requires the right to print the document; a restricted card is refused as there.
  const reading = await readRecord(records, entity, body.record, readTexts(template, entity).bound.needs)
  const made = await records.tx(async (_inside, tx) => {
    const at = sql`"idTemplate" = ${template.id} and "idEntity" = ${body.record}`
    const now = await tx.one<{ number: string | null; kept: object | null; version: number }>(
      sql`select "number", "kept", "version" from print_numbers where ${at} for update`,
    )
    if (!now?.number || !now.kept) throw new HttpError(409, 'Этот документ ещё не печатали', { code: 'transition' })
    await tx.query(sql`insert into print_versions ("idTemplate", "idEntity", "version", "kept", "reason", "idUser")
      values (${template.id}, ${body.record}, ${now.version}, ${JSON.stringify(now.kept)}::jsonb, ${body.reason}, ${actor.id})`)
    await tx.query(sql`update print_numbers set "kept" = null, "version" = "version" + 1 where ${at}`)
    return { number: now.number, version: now.version + 1 }
  })
  const basis = `Перевыпуск: ${template.name} № ${made.number}, ред. ${made.version}. ${body.reason}`
  await journalPrint(app, records, entity, body.record, reading, 'print', basis)
  return made
})
