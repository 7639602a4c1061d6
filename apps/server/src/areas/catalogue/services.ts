import { catalogueCalls } from '@ordinator/model/areas/catalogue/calls'
import { ServiceFile, ServiceImage } from '@ordinator/model/areas/catalogue/image'
import { PRODUCT, Service, ServiceGroup, ServiceType } from '@ordinator/model/areas/catalogue/service'
import type { Row, Update } from '@ordinator/model/entity'
import sql, { type Sql } from 'sql-template-tag'
import { isCountedSql, visitIsOpenSql, visitLinesSql } from '#areas/counted/index.ts'
import { fileRecords } from '#areas/files/index.ts'
import { HttpError, ValidationError } from '#platform/errors.ts'
import { type ComputedSql, count, records } from '#records/define.ts'
import { refuseInUse } from '#records/inUse.ts'
import { operation } from '#records/operation.ts'
import { refuseCircle } from '#records/tree.ts'
import { minutesSql } from './performers.ts'
import { priceSql } from './prices.ts'
import { freeStock } from './stock.ts'

export const types = records(ServiceType)

export const groups = records(ServiceGroup, {
  hooks: {
    beforeUpdate: ({ tx }, value, before) =>
      refuseCircle(tx, ServiceGroup, 'idParentGroup', before.id, value.idParentGroup),
    async beforeDelete({ tx }, { id }) {
      const inside = await tx.one(sql`
        select 1 from services where "idGroup" = ${id} and not "deleted"
        union all select 1 from services_groups where "idParentGroup" = ${id} and not "deleted" limit 1`)
      if (inside) throw new HttpError(409, 'В группе есть услуги или группы', { code: 'notEmpty' })
    },
  },
})

/** Free stock of a product in all warehouses; null for a service. */
const remains = ({ row, andOwnBranch }: ComputedSql): Sql => sql`case when ${row}."serviceCategory" = ${PRODUCT} then
  (select coalesce(sum(t."qty" - t."reserved"), 0) ${freeStock(row, andOwnBranch(sql`w."idFilial"`))}) end`

export const services = records(Service, {
  found: {
    on: 'service',
    group: 'Услуги',
    by: ['nameService', 'shortNameService', 'code', 'medicalCode', 'article', 'barcode'],
    opens: ({ row }) => sql`'/service/view?id=' || ${row}."id"`,
    hint: ({ row }) => sql`concat_ws(' · ', ${row}."code",
      case when ${row}."active" then null else 'не действует' end)`,
  },
  computed: {
    saldo: ({ row, andOwnBranch }) => sql`case when ${row}."serviceCategory" = ${PRODUCT} then
      (select coalesce(jsonb_object_agg(f."name", f."qty"), '{}') from (
        select w."name" || case when count(*) over (partition by w."name") > 1 then ' · ' || f."nameFilial" else '' end as "name", s."qty"
        from (select t."idWarehouse", sum(t."qty" - t."reserved") as "qty" ${freeStock(row, andOwnBranch(sql`w."idFilial"`))} group by 1) s
        join warehouses w on w."id" = s."idWarehouse" join filials f on f."id" = w."idFilial") f) end`,
    remains,
    stock: (about) => sql`${remains(about)} > 0`,
    currentPrice: ({ row }) => priceSql(row, sql`${row}."id"`),
    minutes: ({ row }) => minutesSql(sql`${row}."id"`),
    performersCount: count('performers', { where: ({ row }) => sql`${row}."allowed"` }),
    performedBy: ({ row }) => sql`case when ${row}."anyPerformer" or ${row}."serviceCategory" = ${PRODUCT} then 'any'
      when exists (select 1 from service_performers p where p."idService" = ${row}."id" and p."allowed" and not p."deleted") then 'named'
      when exists (select 1 from users u where not u."deleted"
        and u."idSpeciality" = any (service_group_specialities(${row}."idGroup"))) then 'speciality'
      else 'nobody' end`,
  },
  hooks: {
    prepare(value, before) {
      refuseAges({ ...before, ...value })
      // Default receipt subject of a product.
      if (!before && value.serviceCategory === PRODUCT) value.paymentSubject ??= 1
    },
    beforeDelete: ({ tx }, { id }) =>
      refuseInUse(
        tx,
        [
          {
            count: sql`select count(distinct c."idAppointment") from ${visitLinesSql}
              where l."idService" = ${id} and c."dateTo" > now() and ${isCountedSql} and ${visitIsOpenSql()}`,
            words: ['визит впереди', 'визита впереди', 'визитов впереди'],
          },
        ],
        'Снимите «Действует»: записать на неё будет нельзя, а записанные придут',
      ),
  },
})

function refuseAges({ ageFrom, ageTo }: Update<typeof Service>): void {
  if (typeof ageFrom === 'number' && typeof ageTo === 'number' && ageFrom > ageTo)
    throw new ValidationError([{ field: 'ageTo', message: 'Меньше, чем возраст «от»' }])
}

export const files = fileRecords(ServiceFile)
/** Maximum number of pictures per service. */
const MAX_IMAGES = 30

export const images = records(ServiceImage, {
  computed: { image: ({ row }) => sql`'/files/' || ${row}."idFile"` },
  hooks: {
    async beforeCreate({ tx }, { idService }) {
      const found = await tx.one<{ count: number }>(
        sql`select count(*)::int as count from service_images where "idService" = ${idService} and not "deleted"`,
      )
      if ((found?.count ?? 0) >= MAX_IMAGES)
        throw new ValidationError([{ field: 'idService', message: `У услуги не больше ${MAX_IMAGES} изображений` }])
    },
  },
})

/** Counts for the tree: one query for all groups, whatever the number of services. */
export const serviceCounts = operation(catalogueCalls.counts, ({ app }) =>
  app.db.reads.query<Pick<Row<typeof Service>, 'idGroup'> & { count: number }>(sql`
    select "idGroup", count(*)::int as count from services where not "deleted" group by "idGroup" order by "idGroup"`),
)
