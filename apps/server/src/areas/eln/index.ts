import type { Area } from '#records/area.ts'
import { stateAdapters } from './adapters.ts'
import { elnAdapter } from './deliver.ts'
import { demo } from './demo.ts'
import { figures } from './figures.ts'
import { requestNumbers, settleNumbersByHand, spoil } from './numbers.ts'
import { caredPeople, numberRequests, sickLeaves, sickNumbers, sickPeriods } from './sickLeaves.ts'
import { sign, waitingParts } from './signing.ts'
import { askByItself, askSnils, snilsAdapter, snilsQueries, snilsState, stopSnils, takeSnils } from './snils.ts'
import { codes, state } from './state.ts'
import { bySnils, cancel, close, duplicate, extend, next, ready, refresh, reopen, send, settle } from './steps.ts'
import { watchSheets } from './watch.ts'

export { type DueCount, dueLeaves } from './due.ts'
export { reach } from './service.ts'

/** Sick leaves and СНИЛС search: the exchange with the Social Fund. */
export const eln: Area = {
  name: 'eln',
  title: 'Больничные листы',
  records: [sickLeaves, sickPeriods, caredPeople, numberRequests, sickNumbers, snilsQueries],
  operations: [
    codes,
    figures,
    waitingParts,
    bySnils,
    state,
    ...[extend, close, reopen, ready, sign, send, refresh, settle, next, duplicate, cancel],
    ...[requestNumbers, settleNumbersByHand, spoil],
    ...[snilsState, askSnils, takeSnils, stopSnils],
  ],
  adapters: stateAdapters,
  start(app) {
    app.outbox.register(elnAdapter(app))
    app.outbox.register(snilsAdapter(app))
    app.jobs.register('snils.ask', { cron: '*/5 * * * *', handler: (_, { signal }) => askByItself(app, signal) })
    app.jobs.register('eln.watch', { cron: '20 * * * *', handler: (_, { signal }) => watchSheets(app, signal) })
  },
  demo,
}
