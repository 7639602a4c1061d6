import { ServicePerformer } from '@ordinator/model/areas/catalogue/performer'
import { Service } from '@ordinator/model/areas/catalogue/service'
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

/** Number of doctors of the demo clinic who take questions. */
const DEMO_DOCTORS = 6

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
      priceService: 900,
    })
    const doctors = await tx.query<{ idUser: number }>(sql`select u."id" as "idUser" from users u
      where u."idSpeciality" is not null and not u."deleted" and not u."isBlocked" order by u."id" limit ${DEMO_DOCTORS}`)
    await asSystem.createMany(
      ServicePerformer,
      doctors.map(({ idUser }) => ({ idService, idUser })),
      { pastHooks: 'The demo clinic is laid out as a whole' },
    )
    await tx.query(sql`insert into common_settings (name, value)
      values ('portalActive', 'true'::jsonb), ('portalActions', ${actions}::jsonb),
        ('doctorDialogService', to_jsonb(${idService}::bigint))`)
  },
}
