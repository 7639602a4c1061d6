import { ServicePerformer } from '@ordinator/model/areas/catalogue/performer'
import { Service } from '@ordinator/model/areas/catalogue/service'
import { OnlineDialog } from '@ordinator/model/areas/chats/online'
import { portalActions } from '@ordinator/model/areas/portal/rules'
import sql from 'sql-template-tag'
import { portalStyleOf, readTheme } from '#areas/site/index.ts'
import { systemActor } from '#records/actor.ts'
import type { Area } from '#records/area.ts'
import { billOperations } from './bills.ts'
import { bookingOperations } from './booking.ts'
import { chatCalls, startChat } from './chat.ts'
import { dataCalls } from './data.ts'
import { deskOperations } from './desk.ts'
import { doctorOperations, startQuestions } from './doctor.ts'
import { familyOperations } from './family.ts'
import { friendOperations } from './friends.ts'
import { goodsOperations } from './goods.ts'
import { linkCalls } from './links.ts'
import { servePortal } from './page.ts'
import { paperOperations } from './papers.ts'
import { pushCalls, startPush } from './push.ts'
import { requestOperations } from './requests.ts'
import { scoreCalls } from './scores.ts'
import { signInCalls, startSignIn } from './signIn.ts'
import { timeOperations } from './times.ts'
import { visitCalls } from './visits.ts'

/** Doctors of the demo clinic whom patients ask, for so many rubles. */
const DEMO_DOCTORS = 6
const DEMO_PRICE = 900
/** A day: as long as the settings give a doctor. */
const DEMO_ANSWER_MS = 86_400_000

/** The patients' portal: sign-in, sessions and pages separate from those of the staff. */
export const portal: Area = {
  name: 'portal',
  title: 'Личный кабинет пациента',
  records: [],
  operations: [
    ...signInCalls,
    ...linkCalls,
    ...visitCalls,
    ...scoreCalls,
    ...dataCalls,
    ...pushCalls,
    ...chatCalls,
    ...timeOperations,
    ...bookingOperations,
    ...billOperations,
    ...familyOperations,
    ...friendOperations,
    ...goodsOperations,
    ...paperOperations,
    ...requestOperations,
    ...deskOperations,
    ...doctorOperations,
  ],
  async start(app) {
    startSignIn(app)
    startChat(app)
    startQuestions(app)
    startPush(app)
    await servePortal(app.server, async () => portalStyleOf(await readTheme(app.db.kept)))
  },
  async demo(records, _app, tx) {
    const keeper = await tx.one<{ id: number }>(sql`select "id" from users order by "id" limit 1`)
    if (!keeper) return
    const { asSystem } = records.as({ ...systemActor, id: keeper.id })
    const actions = JSON.stringify(Object.keys(portalActions))
    // Without a group, so that the desk does not find it among bookable services.
    const { id: idService } = await asSystem.create(Service, {
      nameService: 'Вопрос врачу письменно',
      priceService: DEMO_PRICE,
    })
    const doctors = await tx.query<{ idUser: number }>(sql`select u."id" as "idUser" from users u
      where u."idSpeciality" is not null and not u."deleted" and not u."isBlocked" order by u."id" limit ${DEMO_DOCTORS}`)
    await asSystem.createMany(
      ServicePerformer,
      doctors.map(({ idUser }) => ({ idService, idUser })),
      { pastHooks: 'The demo clinic is laid out as a whole' },
    )
    // The questions that are open were paid for: one waits for its first answer, one for the next.
    const asked = await tx.query<{ id: number; dateCreate: string }>(sql`select "id"::int as id, "dateCreate"
      from service_online where "kind" = 'doctor' and "status" <> 'closed' and not "deleted"`)
    for (const { id, dateCreate } of asked)
      await asSystem.update(OnlineDialog, id, {
        idService,
        paidSum: DEMO_PRICE,
        datePaid: new Date(dateCreate).toISOString(),
        answerBy: new Date(new Date(dateCreate).getTime() + DEMO_ANSWER_MS).toISOString(),
      })
    await tx.query(sql`insert into common_settings (name, value)
      values ('portalActive', 'true'::jsonb), ('portalActions', ${actions}::jsonb),
        ('doctorDialogService', to_jsonb(${idService}::bigint))`)
  },
}
