/** Load of areas, and the area of an address. */
import {
  type AreaFacts,
  type AreaStreet,
  type CareType,
  coversHouse,
  kindsOf,
} from '@ordinator/model/areas/attachment/rules'
import type { CommonSettings } from '@ordinator/model/areas/settings/commonSettings'
import sql, { raw } from 'sql-template-tag'
import { clinicToday, readCommonSettings } from '#areas/settings/index.ts'
import { fioSql } from '#areas/staff/index.ts'
import type { Queryable } from '#platform/db.ts'
import { type ServerActor, systemActor } from '#records/actor.ts'
import { inOwnBranch } from '#records/branches.ts'

export interface AreaState extends AreaFacts {
  name: string
  doctor: string | null
}

const MAX_AREAS = 200

export const normOf = (settings: CommonSettings, kind: AreaFacts['kind'], own: number | null): number =>
  own ??
  (kind === 'pediatrics'
    ? settings.attachmentNormPediatrics
    : kind === 'family'
      ? settings.attachmentNormFamily
      : settings.attachmentNormTherapy)

/** The areas of a branch, or of all, with their current number of people. @param care only those that serve it */
export async function readAreas(
  db: Queryable,
  idFilial: number | null,
  care?: CareType,
  reader: ServerActor = systemActor,
): Promise<AreaState[]> {
  const settings = await readCommonSettings(db)
  const rows = await db.query<Omit<AreaState, 'norm'> & { norm: number | null }>(sql`
    select a."id"::int as id, a."name", a."kind", a."idUser"::int as "idUser", ${fioSql(raw('u'))} as doctor, a."norm",
      (select count(*)::int from attachment_attachments t where t."idArea" = a."id" and not t."deleted"
        and t."dateFrom" <= ${clinicToday} and (t."dateTo" is null or t."dateTo" >= ${clinicToday})) as attached,
      coalesce((select jsonb_agg(jsonb_build_object('street', s."street", 'houseFrom', s."houseFrom", 'houseTo', s."houseTo", 'side', s."side"))
        from attachment_streets s where s."idArea" = a."id" and not s."deleted"), '[]') as streets
    from attachment_areas a left join users u on u."id" = a."idUser"
    where a."active" and not a."deleted" and (${idFilial}::bigint is null or a."idFilial" = ${idFilial})
      and ${inOwnBranch(reader, sql`a."idFilial"`)}
      and (${care ? [...kindsOf[care]] : null}::text[] is null or a."kind" = any (${care ? [...kindsOf[care]] : null}::text[]))
    order by a."name", a."id" limit ${MAX_AREAS}`)
  return rows.map((row) => ({
    ...row,
    doctor: row.idUser === null ? null : row.doctor,
    norm: normOf(settings, row.kind, row.norm),
  }))
}

export const isTheirs = (streets: readonly AreaStreet[], street: string | null, house: string | null): boolean =>
  street !== null && streets.some((row) => coversHouse(row, street, house ?? ''))
