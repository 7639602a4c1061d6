/**
 * A phone that an employee has changed could open the patient's room to that employee. So for three days it opens only
 * with the birthday, the former number is told, and the supervisor sees a sign-in by it.
 */
import type { Customer } from '@ordinator/model/areas/customers/customer'
import type { Row } from '@ordinator/model/entity'
import sql, { type Sql } from 'sql-template-tag'
import { codeSmsOf, readCommonSettings } from '#areas/settings/index.ts'
import { sendSms } from '#platform/sms.ts'
import type { AppContext } from '#records/context.ts'
import type { WriteContext } from '#records/define.ts'

/** Hours for which a changed phone is not enough. */
const FRESH_HOURS = 72
const JOB = 'customers.phoneChanged'
const MOST = 100

/** SQL: an employee has changed the phone of this customer lately. */
export const phoneIsFreshSql = (idCustomer: Sql): Sql => sql`exists (select 1 from customer_phone_changes f
  where f."idCustomer" = ${idCustomer} and f."dateCreate" > now() - make_interval(hours => ${FRESH_HOURS}))`

/** Notes that an employee has changed the phone. */
export async function notePhoneChange(
  { actor, tx }: WriteContext,
  { id, phone }: Row<typeof Customer>,
  before: Row<typeof Customer>,
): Promise<void> {
  // What a patient or the program changes has no employee.
  if (actor.id === 0 || phone === before.phone) return
  await tx.query(sql`insert into customer_phone_changes ("idCustomer", "idUser", "former")
    values (${id}, ${actor.id}, ${before.phone})`)
}

/** Tells the former numbers, once each. */
export function startPhoneChanges(app: AppContext): void {
  app.jobs.register(JOB, {
    cron: '* * * * *',
    async handler() {
      const gateway = await codeSmsOf(app)
      if (!gateway) return
      const { clinicName } = await readCommonSettings(app.db)
      // Marked before it is sent: told twice is worse than not at all.
      const changes = await app.db.query<{ id: number; former: string }>(sql`
        update customer_phone_changes set "dateTold" = now() where "id" in (
          select "id" from customer_phone_changes where "former" is not null and "dateTold" is null
            and "dateCreate" > now() - interval '1 day' order by "id" limit ${MOST} for update skip locked)
        returning "id"::int as id, "former"`)
      for (const { id, former } of changes)
        await sendSms(app, gateway, 'Смена телефона пациента', {
          to: former,
          key: `phone-change-${id}`,
          text: `${clinicName ? `${clinicName}. ` : ''}В вашей карте указан другой телефон. Если вы об этом не просили, позвоните в клинику`,
        })
    },
  })
}
