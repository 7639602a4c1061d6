import { portalActions } from '@ordinator/model/areas/portal/rules'
import sql from 'sql-template-tag'
import type { Area } from '../../records/area.ts'
import { billOperations } from './bills.ts'
import { bookingOperations } from './booking.ts'
import { chatCalls, startChat } from './chat.ts'
import { dataCalls } from './data.ts'
import { deskOperations } from './desk.ts'
import { linkCalls } from './links.ts'
import { servePortal } from './page.ts'
import { paperOperations } from './papers.ts'
import { requestOperations } from './requests.ts'
import { signInCalls, startSignIn } from './signIn.ts'
import { timeOperations } from './times.ts'
import { visitCalls } from './visits.ts'

/** The patients' own room: a sign-in, sessions and pages apart from those of the staff. */
export const portal: Area = {
  name: 'portal',
  title: 'Личный кабинет пациента',
  records: [],
  operations: [
    ...signInCalls,
    ...linkCalls,
    ...visitCalls,
    ...dataCalls,
    ...chatCalls,
    ...timeOperations,
    ...bookingOperations,
    ...billOperations,
    ...paperOperations,
    ...requestOperations,
    ...deskOperations,
  ],
  async start(app) {
    startSignIn(app)
    startChat(app)
    await servePortal(app.server)
  },
  async demo(_records, _app, tx) {
    const actions = JSON.stringify(Object.keys(portalActions))
    await tx.query(sql`insert into common_settings (name, value)
      values ('portalActive', 'true'::jsonb), ('portalActions', ${actions}::jsonb)`)
  },
}
