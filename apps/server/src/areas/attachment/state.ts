/** Computed data of an application: the card, the checks, the areas. */

import { ApplicationFile, AttachmentApplication } from '@ordinator/model/areas/attachment/application'
import { attachmentCalls, MAX_AREAS, MAX_CARDS } from '@ordinator/model/areas/attachment/calls'
import { attachmentDocuments, attachmentFields } from '@ordinator/model/areas/attachment/papers'
import {
  type Applicant,
  type ApplicationAround,
  checksOf,
  type Difference,
  kindsOf,
  sameWords,
  urgencyOf,
} from '@ordinator/model/areas/attachment/rules'
import { yearsOn } from '@ordinator/model/areas/customers/age'
import { Customer } from '@ordinator/model/areas/customers/customer'
import { documentTypes } from '@ordinator/model/areas/customers/documents'
import { sexes } from '@ordinator/model/areas/staff/user'
import { identifierText } from '@ordinator/model/identifiers'
import { phoneText } from '@ordinator/model/phone'
import { dayIn } from '@ordinator/model/zone'
import sql, { raw } from 'sql-template-tag'
import { ifOpen } from '#areas/customers/index.ts'
import { clinicToday, readCommonSettings } from '#areas/settings/index.ts'
import { fioSql } from '#areas/staff/index.ts'
import type { Queryable } from '#platform/db.ts'
import { HttpError } from '#platform/errors.ts'
import type { ServerActor } from '#records/actor.ts'
import { inOwnBranch } from '#records/branches.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { type ApplicationRow, timeOf } from './applications.ts'
import { type AreaState, isTheirs, readAreas } from './areas.ts'
import { tfomsState } from './tfoms.ts'

/** Fields of an application with those of the card. */
export const cardFields = {
  surname: 'surname',
  name: 'name',
  middleName: 'middleName',
  birthday: 'birthday',
  gender: 'gender',
  snils: 'snils',
  documentType: 'documentType',
  documentNumber: 'numberPassport',
  phone: 'phone',
  email: 'email',
  registration: 'address',
  city: 'nameCityFact',
  street: 'nameStreetFact',
  house: 'numberStreetFact',
  flat: 'numberRoomFact',
} as const satisfies Partial<Record<keyof ApplicationRow, string>>
export type CardField = keyof typeof cardFields | 'enp'

export interface CardFacts {
  id: number
  fio: string
  birthday: string | null
  by: string
}

/** Cards that may be of the applicant, the best match first. */
const cardsOf = (db: Queryable, actor: ServerActor, one: ApplicationRow): Promise<CardFacts[]> =>
  db
    .query<CardFacts>(sql`
    select c."id"::int as id, ${fioSql(raw('c'))} as fio, ${ifOpen(actor, raw('c'), sql`to_char(c."birthday", 'DD.MM.YYYY')`)} as birthday, found.by
    from (
      select "id", 'СНИЛС' as by, 1 as rank from customers where "snils" = ${one.snils} and not "deleted"
      union all select p."idCustomer", 'полис ОМС', 2 from customers_policies p where p."number" = ${one.enp} and p."type" = 'oms' and not p."deleted"
      union all select "id", 'имя и дата рождения', 3 from customers where lower("surname") = lower(${one.surname})
        and lower("name") = lower(${one.name}) and "birthday" = to_date(${one.birthday}, 'DD.MM.YYYY') and not "deleted"
    ) found join customers c on c."id" = found."id" and not c."deleted"
    order by found.rank, c."id" limit ${MAX_CARDS * 3}`)
    .then((rows) =>
      [...new Map(rows.toReversed().map((row) => [row.id, row])).values()].toReversed().slice(0, MAX_CARDS),
    )

async function differences(
  db: Queryable,
  records: Records,
  one: ApplicationRow,
  idCustomer: number | null,
): Promise<(Difference & { differs: boolean })[]> {
  const card = idCustomer === null ? undefined : await records.row(Customer, idCustomer)
  const policy = await db.one<{ number: string }>(sql`select "number" from customers_policies
    where "idCustomer" = ${idCustomer} and "type" = 'oms' and not "deleted" order by "dateTo" desc nulls first, "id" desc limit 1`)
  const shown = (field: string, value: unknown): string | null => {
    if (value === null || value === undefined || value === '') return null
    const text = String(value)
    if (field === 'phone') return phoneText(text) ?? text
    if (field === 'snils') return identifierText('snils', text)
    if (field === 'enp') return identifierText('enp', text)
    if (field === 'gender') return text === 'none' ? null : (sexes[text as keyof typeof sexes] ?? text)
    if (field === 'documentType') return documentTypes[text as keyof typeof documentTypes] ?? text
    return text
  }
  const rows = Object.entries(cardFields).map(([field, of]) => {
    const key = field as keyof typeof cardFields
    return {
      field,
      label: AttachmentApplication.fields[key].options.label as string,
      application: shown(field, one[key]),
      card: shown(field, card?.[of]),
    }
  })
  rows.push({
    field: 'enp',
    label: 'Полис ОМС',
    application: shown('enp', one.enp),
    card: shown('enp', policy?.number),
  })
  return rows
    .filter(({ application, card: there }) => application !== null || there !== null)
    .map((row) => ({
      ...row,
      differs: card !== undefined && row.application !== null && !sameWords(row.application, row.card),
    }))
}

/** Required data missing in the application. */
async function missingOf(db: Queryable, records: Records, one: ApplicationRow, day: string): Promise<string[]> {
  const { attachmentFields: fields, attachmentDocuments: papers } = await readCommonSettings(db)
  const has: Record<keyof typeof attachmentFields, boolean> = {
    phone: Boolean(one.phone),
    email: Boolean(one.email),
    citizenship: Boolean(one.citizenship),
    snils: Boolean(one.snils),
    enp: Boolean(one.enp),
    document: Boolean(one.documentNumber),
    registration: Boolean(one.registration),
    actual: Boolean(one.street && one.house),
    currentMo: Boolean(one.currentMo),
  }
  const files = await records.asSystem.rows(ApplicationFile, { 'filter[idApplication]': one.id, limit: 50 })
  const sent = new Set(files.map(({ kind }) => kind))
  const isChild = (yearsOn(one.birthday ?? '', day) ?? 99) < 14
  const wanted = papers.filter((kind) =>
    kind === 'passport'
      ? !isChild
      : kind === 'birthCertificate'
        ? isChild
        : kind === 'representative'
          ? Boolean(one.representative)
          : true,
  )
  return [
    ...fields.filter((field) => !has[field]).map((field) => attachmentFields[field]),
    // At the desk documents are shown, and need no upload.
    ...(one.source === 'desk'
      ? []
      : wanted.filter((kind) => !sent.has(kind)).map((kind) => `файл «${attachmentDocuments[kind]}»`)),
  ]
}

export async function checked(db: Queryable, records: Records, one: ApplicationRow) {
  const { timeZone } = await readCommonSettings(db)
  const day = dayIn(timeZone, Date.now())
  const all = await readAreas(db, one.idFilial)
  const area = all.find(({ id }) => id === one.idArea)
  const duplicate = await db.one<{ number: string | null }>(sql`
    select "number" from attachment_applications a where a."id" <> ${one.id} and not a."deleted"
      and a."status" in ('new', 'check', 'needInfo', 'approved', 'sent') and a."careType" = ${one.careType}
      and (a."snils" = ${one.snils} or a."enp" = ${one.enp} or (lower(a."surname") = lower(${one.surname})
        and lower(a."name") = lower(${one.name}) and a."birthday" = to_date(${one.birthday}, 'DD.MM.YYYY')))
    order by a."id" limit 1`)
  const last = one.idCustomer
    ? await db.one<{ day: string }>(sql`select max("dateFrom")::text as day from attachment_attachments
        where "idCustomer" = ${one.idCustomer} and "careType" = ${one.careType} and "basis" = 'choice' and not "deleted"
          and "dateFrom" > ${clinicToday} - 366`)
    : undefined
  const around: ApplicationAround = {
    today: day,
    missing: await missingOf(db, records, one, day),
    duplicate: duplicate ?? null,
    lastChange: last?.day ?? null,
    area: area
      ? {
          name: area.name,
          kind: area.kind,
          attached: area.attached,
          norm: area.norm,
          isTheirs: isTheirs(area.streets, one.street, one.house),
        }
      : null,
  }
  return { checks: checksOf(one as Applicant, around), areas: offered(all, one) }
}

/** Areas for this kind of care, those of the address first. */
const offered = (all: readonly AreaState[], one: ApplicationRow) =>
  all
    .filter(({ kind }) => kindsOf[one.careType].includes(kind))
    .map(({ id, name, kind, idUser, doctor, attached, norm, streets }) => ({
      ...{ id, name, kind, idUser, doctor, attached, norm },
      isTheirs: isTheirs(streets, one.street, one.house),
    }))
    .toSorted((a, b) => Number(b.isTheirs) - Number(a.isTheirs) || a.attached / a.norm - b.attached / b.norm)
    .slice(0, MAX_AREAS)

export const state = operation(attachmentCalls.state, async ({ app, records, params }) => {
  const one = await records.row(AttachmentApplication, params.id)
  const { checks, areas } = await checked(app.db, records, one)
  const cards = await cardsOf(app.db, records.actor, one)
  const shown = one.idCustomer ?? cards[0]?.id ?? null
  return {
    idCustomer: one.idCustomer,
    cards,
    differences: await differences(app.db, records, one, shown).catch((error) => {
      // A card closed to the user is not compared.
      if (error instanceof HttpError) return differences(app.db, records, one, null)
      throw error
    }),
    checks,
    areas,
    urgency: urgencyOf(one.dueAt, Date.now(), await timeOf(app.db, one.idFilial)),
    exchange: await tfomsState(app),
  }
})

export const reasons = operation(attachmentCalls.reasons, async ({ app }) => ({
  reasons: (await readCommonSettings(app.db)).attachmentRefusals,
}))

export const figures = operation(attachmentCalls.figures, async ({ app, actor }) => {
  const row = await app.db.one<{
    waiting: number
    urgent: number
    late: number
    decided: number
    refused: number
    hours: number | null
  }>(sql`
    select count(*) filter (where "status" in ('new', 'check', 'needInfo'))::int as waiting,
      count(*) filter (where "status" in ('new', 'check', 'needInfo') and "dueAt" between now() and now() + interval '1 day')::int as urgent,
      count(*) filter (where "status" in ('new', 'check', 'needInfo') and "dueAt" < now())::int as late,
      count(*) filter (where "dateDecided" > now() - interval '30 days')::int as decided,
      count(*) filter (where "dateDecided" > now() - interval '30 days' and "status" = 'refused')::int as refused,
      (percentile_cont(0.5) within group (order by extract(epoch from "dateDecided" - "submittedAt") / 3600)
        filter (where "dateDecided" > now() - interval '30 days'))::float8 as hours
    from attachment_applications where not "deleted" and ${inOwnBranch(actor, sql`"idFilial"`)}
      and ("status" in ('new', 'check', 'needInfo') or "dateDecided" > now() - interval '30 days')`)
  const areas = await readAreas(app.db, null, undefined, actor)
  return {
    waiting: row?.waiting ?? 0,
    urgent: row?.urgent ?? 0,
    late: row?.late ?? 0,
    decided30: row?.decided ?? 0,
    refused30: row?.refused ?? 0,
    hours: row?.hours ?? null,
    exchange: await tfomsState(app),
    areas: areas.map(({ id, name, kind, idUser, doctor, attached, norm }) => ({
      ...{ id, name, kind, idUser, doctor, attached, norm, isTheirs: false },
    })),
  }
})
