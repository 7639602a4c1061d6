import { LiveAssist } from '@ordinator/model/areas/chats/liveAssist'
import sql from 'sql-template-tag'
import { systemActor } from '#records/actor.ts'
import type { Area } from '#records/area.ts'
import { startAssignment } from './assign.ts'
import { channelCards } from './channels/cards.ts'
import { startDelivery } from './channels/delivery.ts'
import { channelCalls, startChannels } from './channels/intake.ts'
import { chatRecords } from './chats.ts'
import { demo } from './demo.ts'
import { startWaiters } from './live.ts'
import { onlineRecords } from './online/dialogs.ts'
import { onlineFigures, onlineStaffCalls } from './online/staff.ts'
import { operatorCalls } from './operator.ts'
import { reviseCalls } from './revise.ts'
import { shiftCalls } from './shift.ts'
import { visitorCalls } from './visitor.ts'
import { widgetCalls } from './widget.ts'

export { givenTo, lockChat, owesStep } from './lines.ts'
export { fateOf, messagePatient, reachableSql } from './messagePatient.ts'
export { addOnlineLine, lockDialog, ONLINE_NEWS, onlineLineOf, paidStateSql } from './online/dialogs.ts'
export { receiveLine } from './visitorLines.ts'
export { createWaiters, type Waiters } from './waiters.ts'

/** Days of silence after which a completed chat is archived. */
const QUIET_DAYS = 7

/** Chats with visitors. */
export const chats: Area = {
  name: 'chats',
  title: 'Чаты',
  records: [...chatRecords, ...onlineRecords],
  counts: [onlineFigures],
  operations: [
    ...operatorCalls,
    ...reviseCalls,
    ...shiftCalls,
    ...visitorCalls,
    ...widgetCalls,
    ...channelCalls,
    ...onlineStaffCalls,
  ],
  adapters: channelCards,
  start(app) {
    startWaiters(app)
    startAssignment(app)
    startChannels(app)
    startDelivery(app)
    app.jobs.register('chats.archive', {
      cron: '41 * * * *',
      handler: () =>
        app.engine.for(systemActor).asSystem.updateWhere(
          LiveAssist,
          ({
            row,
          }) => sql`${row}."status" = 'completed' and (${row}."dateNextStep" is null or ${row}."idOutcome" is not null)
            and coalesce(${row}."dateLast", ${row}."dateCreate") < now() - make_interval(days => ${QUIET_DAYS})`,
          { status: 'archive' },
          { pastHooks: 'The patient of the chat stays' },
        ),
    })
  },
  demo,
}
