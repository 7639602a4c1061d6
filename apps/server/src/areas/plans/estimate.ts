/** Cost today of the services of a plan, with the patient's discounts. */
import { planCalls } from '@ordinator/model/areas/plans/calls'
import { TreatmentPlan } from '@ordinator/model/areas/plans/plan'
import sql from 'sql-template-tag'
import { type QuotedLine, quoteOf } from '#areas/discounts/index.ts'
import { operation } from '#records/operation.ts'

export const estimate = operation(planCalls.estimate, async ({ app, records, params }) => {
  const { id, idCustomer, idFilial, idDoctor } = await records.row(TreatmentPlan, params.id)
  const lines = await app.db.reads.query<QuotedLine>(sql`
    select i."id", i."idService", ${idDoctor}::float8 as "idUser", i."qty"::float8 as quantity, i."price"::float8 as price,
      i."discount"::float8 as discount
    from customer_plans_items i join customer_plans_stages s on s."id" = i."idStage" and not s."deleted"
      join services v on v."id" = i."idService" and not v."deleted"
    where s."idPlan" = ${id} and not i."deleted" and not i."cancelled" and i."price" is not null
    order by s."order", i."order", i."id"`)
  return quoteOf(records.asSystem, app.db.reads, { idCustomer, idFilial, lines })
})
