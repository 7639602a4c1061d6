/** A printed plan with its estimate: A4, with places for both signatures. */
import { planCalls } from '@ordinator/model/areas/plans/calls'
import { TreatmentPlan } from '@ordinator/model/areas/plans/plan'
import { MAX_ITEMS, MAX_STAGES } from '@ordinator/model/areas/plans/rules'
import type { Row } from '@ordinator/model/entity'
import sql from 'sql-template-tag'
import { signerFacts } from '#areas/consents/index.ts'
import { letterheadOf } from '#areas/filials/index.ts'
import { readCommonSettings } from '#areas/settings/index.ts'
import { sendPdf } from '#platform/disposition.ts'
import { drawing, pressOf } from '#platform/pdfPool.ts'
import type { AppContext } from '#records/context.ts'
import { journalActor } from '#records/journal.ts'
import { operation } from '#records/operation.ts'
import type { Line, PlanPaper } from './drawPlan.ts'
import { itemsOf } from './progress.ts'

const drawn = drawing<typeof import('./drawPlan.ts')>(new URL('./drawPlan.ts', import.meta.url))

export const print = operation(planCalls.print, async ({ app, records, actor, params, reply }) => {
  const plan = await records.row(TreatmentPlan, params.id)
  const bytes = await planPaper(app, plan, actor)
  await app.journal({
    ...journalActor(actor),
    action: 'print',
    entityType: TreatmentPlan.path,
    idEntity: plan.id,
    idCustomer: plan.idCustomer,
  })
  return sendPdf(reply, `План лечения ${plan.id}.pdf`, bytes)
})

type People = Record<'doctor' | 'filial' | 'address', string | null>

/** @param who the printing user */
export async function planPaper(
  app: AppContext,
  plan: Row<typeof TreatmentPlan>,
  who: { id: number | string },
): Promise<Uint8Array> {
  const lines = await app.db.query<Line>(sql`
    select s."name" as stage, s."zone", s."plannedMonth"::text as "plannedMonth", s."id" as "idStage", v."nameService" as name,
      v."unit", i."qty", i."price"::float8 as price, i."discount"::float8 as discount, i."total"::float8 as total
    from ${itemsOf(plan.id)} i join customer_plans_stages s on s."id" = i."idStage" join services v on v."id" = i."idService"
    where not i."cancelled" order by s."order", s."id", i."order", i."id" limit ${MAX_ITEMS + MAX_STAGES}`)
  const sums = (await app.db.one<PlanPaper['sums']>(sql`
    select coalesce(sum(coalesce(i."price", 0) * i."qty"), 0)::text as gross, coalesce(sum(i."discount"), 0)::text as discount,
      coalesce(sum(i."total"), 0)::text as total from ${itemsOf(plan.id)} i where not i."cancelled"`)) as PlanPaper['sums']
  const { doctor, filial, address } = (await app.db.one<People>(sql`
    select nullif(concat_ws(' ', u."surname", u."name", u."middleName"), '') as doctor, f."nameFilial" as filial,
      coalesce(f."filialAddressFact", f."filialAddress") as address
    from users u left join filials f on f."id" = ${plan.idFilial} where u."id" = ${plan.idDoctor}`)) as People
  const signer = await signerFacts(app.db, plan)
  const { timeZone } = await readCommonSettings(app.db)
  const head = await letterheadOf(app.db)
  const branch = [filial, address].filter(Boolean).join(', ')
  const signedBy = plan.representative?.fio ?? signer.representative?.fio ?? signer.fio
  const paper: PlanPaper = {
    ...{ plan, lines, sums, doctor, patient: signer, signedBy, timeZone },
    head: branch ? { ...head, lines: [...head.lines, branch] } : head,
  }
  return pressOf(app).run(drawn, paper, who)
}
