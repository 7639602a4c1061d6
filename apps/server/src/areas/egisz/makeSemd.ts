/** Makes a document (СЭМД) from its source: kind, content, checks, signers. */

import { randomUUID } from 'node:crypto'
import { type Finding, rolesOf, Semd, type SemdSourceKind } from '@ordinator/model/areas/egisz/semd'
import { EgiszDocument } from '@ordinator/model/areas/exchange/egisz'
import type { Row } from '@ordinator/model/entity'
import sql from 'sql-template-tag'
import { clinicToday } from '#areas/settings/index.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import { HttpError } from '#platform/errors.ts'
import type { ServerActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import type { Records } from '#records/records.ts'
import { makeAndCheck } from './checkDocument.ts'
import { logEvent } from './log.ts'
import { keepContent } from './semdFiles.ts'
import { type SourceData, semdSource } from './sources.ts'

export type SemdRow = Row<typeof Semd>

type KindRow = Row<typeof EgiszDocument>

export const refusal = (message: string, code = 'status') => new HttpError(409, message, { code })

export const errorsOf = (findings: readonly Finding[]) => findings.filter(({ severity }) => severity === 'error').length

/** Required signers by a row of kinds. */
export const signersOf = ({ signers }: Pick<KindRow, 'signers'>) => signers ?? 'doctor'

export interface Wanted {
  source: SemdSourceKind
  id: number
  /** The rejected or corrected document that it replaces. */
  previous?: SemdRow
  /** Given data instead of a readable source: for a certificate. */
  read?: SourceData
  kind?: KindRow
}

/**
 * Generates a document, validates it and stores it with its findings.
 * @param who requester; undefined: the job
 * @throws HttpError 409 if the source is unsigned, its type is not sent, or a document exists
 */
export async function makeSemd(
  app: AppContext,
  system: Records,
  wanted: Wanted,
  actor?: ServerActor,
): Promise<SemdRow> {
  const source = semdSource(app, wanted.source)
  if (!source) throw refusal('Этот раздел документов для РЭМД пока не даёт', 'source')
  const read = wanted.read ?? (await source.read(app.db, wanted.id))
  if (!read) throw refusal('Документ делают из подписанной записи', 'source')
  const kind = wanted.kind ?? (await kindFor(app.db, system, wanted.source, wanted.id))
  if (!kind)
    throw refusal('Этот вид документа клиника в РЭМД не отправляет: добавьте его на странице «Документы РЭМД»', 'kind')
  const localUid = randomUUID()
  const about = {
    number: localUid,
    set: wanted.previous?.setUid ?? randomUUID(),
    version: (wanted.previous?.version ?? 0) + 1,
  }
  const { xml, findings } = await makeAndCheck(app, kind, source, wanted.id, read, about, actor?.id ?? 'egisz')
  return system.tx(async (own, tx) => {
    const id = await insertSemd(own, tx, { wanted, kind, read, about, localUid, findings })
    await keepContent(tx, id, xml)
    if (wanted.read)
      await tx.query(
        sql`insert into egisz_semd_sources ("idSemd", "read") values (${id}, ${JSON.stringify(wanted.read)}::jsonb)`,
      )
    // A document that was never registered is replaced at once.
    if (wanted.previous?.status === 'rejected')
      await own.asSystem.update(Semd, wanted.previous.id, { status: 'replaced' })
    await logChecked(tx, id, localUid, findings, actor)
    return own.asSystem.row(Semd, id)
  })
}

async function insertSemd(
  own: Records,
  tx: Tx,
  made: {
    wanted: Wanted
    kind: KindRow
    read: SourceData
    about: { set: string; version: number }
    localUid: string
    findings: Finding[]
  },
): Promise<number> {
  const { wanted, kind, read, about, localUid, findings } = made
  // Serialized per source: one document at a time.
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`semd ${wanted.source} ${wanted.id}`}, 0))`)
  const there = await tx.one<{ id: number }>(sql`select "id"::int as id from egisz_semds
    where "source" = ${wanted.source} and "idSource" = ${wanted.id} and "status" not in ('cancelled', 'replaced')
      and "id" is distinct from ${wanted.previous?.id ?? null} and ${wanted.source} <> 'taxCertificate' order by "id" desc limit 1`)
  if (there) throw refusal('Документ этой записи уже есть', `exists:${there.id}`)
  const errorCount = errorsOf(findings)
  const { id } = await own.asSystem.create(Semd, {
    title: read.title.slice(0, 300),
    idKind: kind.id,
    source: wanted.source,
    idSource: wanted.id,
    idExamination: read.idExamination ?? null,
    idCustomer: read.idCustomer,
    idUser: read.idUser,
    idFilial: read.idFilial,
    localUid,
    setUid: about.set,
    version: about.version,
    idPrevious: wanted.previous?.id ?? null,
    findings,
    errorCount,
    status: errorCount > 0 ? 'draft' : 'validated',
    dueRole: errorCount > 0 ? null : (rolesOf(signersOf(kind))[0] ?? null),
    dateDocument: read.date,
  })
  return id
}

export const logChecked = (
  tx: Tx,
  idSemd: number,
  localUid: string,
  findings: readonly Finding[],
  actor?: ServerActor,
) => {
  const errors = errorsOf(findings)
  return logEvent(tx, {
    kind: 'validation',
    level: errors > 0 ? 'error' : findings.length > 0 ? 'warning' : 'info',
    text:
      errors > 0
        ? `Документ ${localUid}: ошибок ${errors}, предупреждений ${findings.length - errors}`
        : `Документ ${localUid} проверен`,
    idSemd,
    idUser: actor?.id ?? null,
  })
}

/**
 * SQL condition: the kind `k` applies to the examination `e` of the template `t`: by template, or by the template's
 * document type.
 */
export const isOfTemplate = sql`(k."kind" not in ('laboratory', 'taxCertificate') and (k."idTemplate" = e."idTemplate"
  or (k."idTemplate" is null and lower(btrim(t."semdKind")) in (k."code", lower(k."kind"),
    lower(case k."kind" when 'consultation' then 'Протокол консультации' when 'discharge' then 'Выписной эпикриз'
      when 'instrumental' then 'Протокол инструментального исследования' when 'referral' then 'Направление' else 'Справка' end)))))`

/** The current document type of a record; one bound to its template takes precedence over general ones. */
export async function kindFor(
  db: Queryable,
  system: Records,
  source: SemdSourceKind,
  id: number,
): Promise<KindRow | undefined> {
  const kinds = source === 'examinations' ? null : [source]
  const row = await db.one<{ id: number }>(sql`
    select k."id"::int as id from egisz_documents k
    left join examinations e on ${source} = 'examinations' and e."id" = ${id}
    left join examination_templates t on t."id" = e."idTemplate"
    where not k."deleted" and k."active" and k."dateFrom" <= ${clinicToday} and coalesce(k."dateTo", ${clinicToday}) >= ${clinicToday}
      and case when ${source} = 'examinations' then ${isOfTemplate}
        else k."kind" = any (${kinds ?? []}) end
    order by k."idTemplate" is null, k."edition" desc limit 1`)
  return row && system.asSystem.row(EgiszDocument, row.id)
}
