import sql from 'sql-template-tag'
import type { Area } from '#records/area.ts'
import { dutyCalls } from './duties.ts'
import { handoverCalls } from './handover.ts'
import { retentionCalls, startRetention } from './retention.ts'
import { simulatorCalls, startSimulator } from './simulator/run.ts'

export { playPatients } from './simulator/run.ts'

/** Contact centre operations over chats, calls and appeals. */
export const centre: Area = {
  name: 'centre',
  title: 'Контакт-центр',
  records: [],
  operations: [...dutyCalls, ...handoverCalls, ...retentionCalls, ...simulatorCalls],
  start(app) {
    startRetention(app)
    startSimulator(app)
  },
  demo: async (_records, _app, tx) => void (await tx.query(sql`insert into demo_clinic default values`)),
}
