/**
 * Protection against takeover of a patient's portal by an employee who changes the phone: for three days a sign-in by
 * it needs the birthday, the former number gets a message, and the supervisor sees the sign-in.
 */
import type { Customer } from '@ordinator/model/areas/customers/customer'
import type { Row } from '@ordinator/model/entity'
import sql, { type Sql } from 'sql-template-tag'
import { codeSmsOf, readCommonSettings } from '#areas/settings/index.ts'
import { sendSms } from '#platform/sms.ts'
import type { AppContext } from '#records/context.ts'
import type { WriteContext } from '#records/define.ts'

/** Hours for which a changed phone is not sufficient. */
const FRESH_HOURS = 72
const JOB = 'customers.phoneChanged'
const MOST = 100

/** SQL condition: an employee has changed this customer's phone recently. */
export const phoneIsFreshSql = (idCustomer: Sql): Sql => sql`exists (select 1 from customer_phone_changes f
  where f."idCustomer" = ${idCustomer} and f."dateCreate" > now() - make_interval(hours => ${FRESH_HOURS}))`

/** Records that an employee has changed the phone. */
export async function notePhoneChange(
  { actor, tx }: WriteContext,
  { id, phone }: Row<typeof Customer>,
  before: Row<typeof Customer>,
): Promise<void> {
  // Changes by a patient or the system have no employee.
  if (actor.id === 0 || phone === before.phone) return
  await tx.query(sql`insert into customer_phone_changes ("idCustomer", "idUser", "former")
    values (${id}, ${actor.id}, ${before.phone})`)
}

/** Registers the job that notifies the former numbers, once each. */
export function startPhoneChanges(app: AppContext): void {
  app.jobs.register(JOB, {
    cron: '* * * * *',
    async handler() {
      const gateway = await codeSmsOf(app)
      if (!gateway) return
      const { clinicName } = await readCommonSettings(app.db)
      // Marked before sending: a duplicate message is worse than none.
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
