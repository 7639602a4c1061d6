import type { Area } from '#records/area.ts'
import { startCollecting } from './collect.ts'
import { egiszDocuments, egiszStaff, mappings } from './connected.ts'
import { startDelivering } from './deliver.ts'
import { demo } from './demo.ts'
import { integrationCalls, watch, webhookAdapters } from './integrations.ts'
import { forget, messageCalls, messages } from './journal.ts'
import { webhookCalls, webhooks, webhooksReach } from './webhooks.ts'

export { administrators } from './deliver.ts'
export { adaptersOf, healthOf } from './health.ts'

/** Outgoing and incoming exchange: webhooks, the journal of exchange. */
export const exchange: Area = {
  name: 'exchange',
  title: 'Обмен',
  records: [webhooks, messages, egiszDocuments, egiszStaff, mappings],
  operations: [...webhookCalls, ...messageCalls, ...integrationCalls],
  adapters: webhookAdapters,
  settingsChanged: (app, tx) => app.outbox.resume(tx),
  start(app) {
    webhooksReach(app)
    app.jobs.register('integrations.watch', { cron: '*/5 * * * *', handler: () => watch(app) })
    startCollecting(app)
    startDelivering(app)
    app.jobs.register('exchange.forget', { cron: '35 3 * * *', handler: (_, job) => forget(app, job) })
  },
  demo,
}
