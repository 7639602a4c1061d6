/** Tables of the clinic and of cards: employees, services, performers, patients, representatives, policies. */
import { Service } from '@ordinator/model/areas/catalogue/service'
import { Customer, policyTypes, relationKinds } from '@ordinator/model/areas/customers/customer'
import { User } from '@ordinator/model/areas/staff/user'
import sql, { raw } from 'sql-template-tag'
import { priceSql } from '#areas/catalogue/index.ts'
import { KEY } from '#areas/moving/index.ts'
import { fioSql } from '#areas/staff/index.ts'
import { journal } from '#records/journal.ts'
import { fieldCells, listCell, rubles } from '../cells.ts'
import type { Group } from '../csv.ts'
import { minutesOf, type Names } from '../names.ts'
import { patientsOf, type Source } from '../portions.ts'

const AT_ONCE = 500

function* chunks<T>(all: readonly T[]): Generator<T[]> {
  for (let at = 0; at < all.length; at += AT_ONCE) yield all.slice(at, at + AT_ONCE)
}

type Stored = Record<string, unknown> & { id: number }

/** Name, post and speciality alone: rights and contacts of people are agreed with them by their new employer. */
export async function* users(source: Source, names: Names): AsyncGenerator<Group> {
  for (const ids of chunks(names.users)) {
    await source.next()
    const rows = await source.app.db.query<{
      id: number
      fio: string
      post: string | null
      speciality: string | null
    }>(sql`
      select u."id"::int as id, ${fioSql(raw('u'))} as fio, u."post", s."name" as speciality from users u
        left join specialities s on s."id" = u."idSpeciality" where u."id" = any (${ids}::bigint[]) order by u."id"`)
    for (const { id, fio, post, speciality } of rows)
      yield [
        {
          [KEY]: `${source.mark}-${id}`,
          ФИО: fio,
          [User.fields.post.options.label]: post ?? '',
          [User.fields.idSpeciality.options.label]: speciality ?? '',
        },
      ]
  }
}

/** At the price of the branch. */
export async function* services(source: Source, names: Names): AsyncGenerator<Group> {
  const { app, idFilial, day, zone, mark } = source
  const cells = fieldCells(app, 'services', Service, zone)
  for (const ids of chunks(names.services)) {
    await source.next()
    const rows = await app.db.query<{
      row: Stored
      price: number | null
      group: string | null
      type: string | null
    }>(sql`with recursive tree as (
        select "id", "nameServiceGroup" as path from services_groups where "idParentGroup" is null
        union all select g."id", tree.path || ' / ' || g."nameServiceGroup" from services_groups g
          join tree on g."idParentGroup" = tree."id")
      select to_jsonb(s) as row, (${priceSql(raw('s'), raw('s."id"'), { day: sql`${day}::date`, idFilial: sql`${idFilial}::bigint` })})::float8 as price,
        g.path as group, t."nameServiceType" as type
      from services s left join tree g on g."id" = s."idGroup" left join service_types t on t."id" = s."idType"
      where s."id" = any (${ids}::bigint[]) order by s."id"`)
    for (const { row, price, group, type } of rows)
      yield [
        {
          ...cells(row),
          [KEY]: `${mark}-${row.id}`,
          [Service.fields.priceService.options.label]: rubles(price),
          [Service.fields.idGroup.options.label]: group ?? '',
          [Service.fields.idType.options.label]: type ?? '',
        },
      ]
  }
}

export async function* performers(source: Source, names: Names): AsyncGenerator<Group> {
  for (const pairs of chunks(names.performers)) {
    await source.next()
    const ids = [...new Set(pairs.map((one) => one.idService))]
    const minutes = await minutesOf(source, ids)
    const shares = await source.app.db.query<{ key: string; commission: number }>(sql`
      select distinct on ("idService", "idUser") concat_ws('|', "idService", "idUser") as key, "commission"::float8 as commission
      from service_performers where "idService" = any (${ids}::bigint[]) and "commission" is not null and "allowed" and not "deleted"
        and ("idFilial" is null or "idFilial" = ${source.idFilial}) order by "idService", "idUser", "idFilial" nulls last`)
    const shareOf = new Map(shares.map(({ key, commission }) => [key, commission]))
    for (const { idService, idUser } of pairs)
      yield [
        {
          Врач: names.user(idUser),
          Услуга: names.service(idService),
          'Длительность, мин': `${minutes(idService, idUser) ?? ''}`,
          'Своя доля, %': `${shareOf.get(`${idService}|${idUser}`) ?? ''}`.replace('.', ','),
        },
      ]
  }
}

/**
 * Cards, by ascending id. Policies have a table of their own. Each card gets a line in the journal of access.
 * @param idUser the person who hands over
 */
export async function* customers(source: Source, idUser: number | null, basis: string): AsyncGenerator<Group> {
  const { app, zone, mark } = source
  const cells = fieldCells(app, 'customers', Customer, zone)
  const stage = source.stage('Пациенты', 30, 40, source.patients)
  for await (const ids of patientsOf(source)) {
    const rows = await app.db.query<{ row: Stored; source: string | null; tags: string[] }>(sql`
      select to_jsonb(c) as row, s."sourceName" as source,
        array(select t."name" from customers_tags t where t."idCustomer" = c."id" order by t."name", t."id") as tags
      from customers c left join customer_sources s on s."id" = c."idSource"
      where c."id" = any (${ids}::bigint[]) and not c."deleted" order by c."id"`)
    await journal(
      app.db,
      ...rows.map(({ row: { id } }) => ({
        action: 'export' as const,
        ...(idUser !== null && { idUser }),
        entityType: Customer.path,
        idEntity: id,
        idCustomer: id,
        basis,
      })),
    )
    for (const { row, source: from, tags } of rows)
      yield [
        {
          ...cells(row),
          [KEY]: `${mark}-${row.id}`,
          [Customer.fields.idSource.options.label]: from ?? '',
          Метки: listCell(tags),
        },
      ]
    stage.done(ids.length)
  }
}

/**
 * A representative who is handed over too is named by the code, another one by name and phone, unless that card is sealed.
 */
export async function* relations(source: Source): AsyncGenerator<Group> {
  const { app, mark } = source
  const isSealed = app.registry.at(Customer.path).sealed?.when({ row: raw('c'), me: raw('0') }) ?? raw('false')
  for await (const ids of patientsOf(source)) {
    const rows = await app.db.query<{
      id: number
      idCustomer: number
      relation: keyof typeof relationKinds
      idRelative: number | null
      fio: string | null
      phone: string | null
      document: string | null
      dateTo: string | null
      signs: string
    }>(sql`select r."id"::int as id, r."idCustomer"::int as "idCustomer", r."relation", h."idCustomer"::int as "idRelative",
        coalesce(case when c."id" is not null then ${fioSql(raw('c'))} end, r."fio") as fio, coalesce(c."phone", r."phone") as phone,
        r."document", r."dateTo"::text as "dateTo", r."signs"
      from customers_relations r left join customers c on c."id" = r."idRelative" and not c."deleted"
        left join handover_patients h on h."idHandover" = ${source.id} and h."idCustomer" = c."id"
      where r."idCustomer" = any (${ids}::bigint[]) and not r."deleted"
        and (c."id" is null or h."idCustomer" is not null or not ${isSealed}) order by r."idCustomer", r."id"`)
    for (const row of rows)
      yield [
        {
          [KEY]: `${mark}-${row.id}`,
          'Код пациента': `${mark}-${row.idCustomer}`,
          'Кем приходится': relationKinds[row.relation],
          'Код представителя': row.idRelative === null ? '' : `${mark}-${row.idRelative}`,
          ФИО: row.idRelative === null ? (row.fio ?? '') : '',
          Телефон: row.idRelative === null ? (row.phone ?? '') : '',
          Документ: row.document ?? '',
          'Полномочия до': row.dateTo ?? '',
          Подписывает: row.signs === 'yes' ? 'Да' : 'Нет',
        },
      ]
  }
}

export async function* policies(source: Source): AsyncGenerator<Group> {
  const { app, mark } = source
  for await (const ids of patientsOf(source)) {
    const rows = await app.db.query<{
      id: number
      idCustomer: number
      type: keyof typeof policyTypes
      number: string
      company: string | null
      programme: string | null
      dateFrom: string | null
      dateTo: string | null
    }>(sql`select "id"::int as id, "idCustomer"::int as "idCustomer", "type", "number", "company", "programme",
        "dateFrom"::text as "dateFrom", "dateTo"::text as "dateTo" from customers_policies
      where "idCustomer" = any (${ids}::bigint[]) and not "deleted" order by "idCustomer", "id"`)
    for (const row of rows)
      yield [
        {
          [KEY]: `${mark}-${row.id}`,
          'Код пациента': `${mark}-${row.idCustomer}`,
          Вид: policyTypes[row.type],
          Номер: row.number,
          'Страховая компания': row.company ?? '',
          Программа: row.programme ?? '',
          'Действует с': row.dateFrom ?? '',
          'Действует по': row.dateTo ?? '',
        },
      ]
  }
}
