import { FilialHandover } from '@ordinator/model/areas/handover/handover'
import type { Area } from '#records/area.ts'
import { records } from '#records/define.ts'
import { cancelHandover, handOver, handoverFile } from './calls.ts'
import { handovers, sweep } from './run.ts'

/** The data of one branch for its buyer. */
export const handover: Area = {
  name: 'handover',
  title: 'Передача филиала',
  records: [records(FilialHandover)],
  operations: [handOver, cancelHandover, handoverFile],
  runs: [handovers],
  start(app) {
    app.jobs.register('filials.handovers.sweep', { cron: '50 3 * * *', handler: () => sweep(app) })
  },
}
