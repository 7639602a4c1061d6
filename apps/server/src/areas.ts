import { join } from 'node:path'
import { advertising } from '#areas/advertising/index.ts'
import { agents } from '#areas/agents/index.ts'
import { appeals } from '#areas/appeals/index.ts'
import { attachment } from '#areas/attachment/index.ts'
import { calls } from '#areas/calls/index.ts'
import { catalogue } from '#areas/catalogue/index.ts'
import { centre } from '#areas/centre/index.ts'
import { chats } from '#areas/chats/index.ts'
import { clinical } from '#areas/clinical/index.ts'
import { consents } from '#areas/consents/index.ts'
import { customers } from '#areas/customers/index.ts'
import { discounts } from '#areas/discounts/index.ts'
import { egisz } from '#areas/egisz/index.ts'
import { eln } from '#areas/eln/index.ts'
import { examinations } from '#areas/examinations/index.ts'
import { exchange } from '#areas/exchange/index.ts'
import { expenses } from '#areas/expenses/index.ts'
import { files } from '#areas/files/index.ts'
import { filials } from '#areas/filials/index.ts'
import { handover } from '#areas/handover/index.ts'
import { imports } from '#areas/imports/index.ts'
import { kpi } from '#areas/kpi/index.ts'
import { laboratory } from '#areas/laboratory/index.ts'
import { memberships } from '#areas/memberships/index.ts'
import { messages } from '#areas/messages/index.ts'
import { metrika } from '#areas/metrika/index.ts'
import { money } from '#areas/money/index.ts'
import { moving } from '#areas/moving/index.ts'
import { news } from '#areas/news/index.ts'
import { notifications } from '#areas/notifications/index.ts'
import { outside } from '#areas/outside/index.ts'
import { payers } from '#areas/payers/index.ts'
import { payroll } from '#areas/payroll/index.ts'
import { plans } from '#areas/plans/index.ts'
import { portal } from '#areas/portal/index.ts'
import { prints } from '#areas/prints/index.ts'
import { prompts } from '#areas/prompts/index.ts'
import { referrers } from '#areas/referrers/index.ts'
import { regulations } from '#areas/regulations/index.ts'
import { reports, withReports } from '#areas/reports/index.ts'
import { sales } from '#areas/sales/index.ts'
import { scripts } from '#areas/scripts/index.ts'
import { search } from '#areas/search/index.ts'
import { settings } from '#areas/settings/index.ts'
import { signatures } from '#areas/signatures/index.ts'
import { site } from '#areas/site/index.ts'
import { staff } from '#areas/staff/index.ts'
import { start } from '#areas/start/index.ts'
import { tasks } from '#areas/tasks/index.ts'
import { training } from '#areas/training/index.ts'
import { transcripts } from '#areas/transcripts/index.ts'
import { upkeep } from '#areas/upkeep/index.ts'
import { visits } from '#areas/visits/index.ts'
import { warehouse } from '#areas/warehouse/index.ts'
import { authArea, registerAuth } from '#auth/index.ts'
import { admitRequests } from '#platform/admitRequests.ts'
import { serveApiDocs } from '#platform/apiDocs.ts'
import { exchangeJournal } from '#platform/exchange.ts'
import { traceRequests } from '#platform/tracing.ts'
import { openRealtime } from '#realtime/index.ts'
import type { Area } from '#records/area.ts'
import type { AppContext } from '#records/context.ts'
import { createEngine } from '#records/engine.ts'
import { createJournal } from '#records/journal.ts'
import { openApi } from '#records/openapi.ts'
import { registerOperations } from '#records/operations.ts'
import { createRegistry } from '#records/registry.ts'
import { registerRecordRoutes } from '#records/routes.ts'
import { startRuns } from '#records/run.ts'
import { registerTrash } from '#records/trash.ts'
import { createVisibility } from '#records/visibility.ts'
import { makeDemo } from './demo.ts'

/** All areas. Their parts of the demo clinic are created in this order. */
export const areas: readonly Area[] = [
  authArea,
  settings,
  staff,
  notifications,
  imports,
  filials,
  customers,
  consents,
  files,
  catalogue,
  warehouse,
  attachment,
  discounts,
  agents,
  money,
  scripts,
  sales,
  chats,
  calls,
  transcripts,
  tasks,
  visits,
  memberships,
  payers,
  referrers,
  messages,
  plans,
  examinations,
  eln,
  laboratory,
  clinical,
  prompts,
  metrika,
  appeals,
  centre,
  expenses,
  kpi,
  advertising,
  payroll,
  portal,
  prints,
  exchange,
  signatures,
  egisz,
  regulations,
  reports,
  news,
  outside,
  site,
  start,
  moving,
  handover,
  search,
  upkeep,
  training,
]

/** What every area uses: the entities, the engine, the journal. */
export function foundation({
  config,
  db,
  fanout,
  log,
}: Pick<AppContext, 'config' | 'db' | 'fanout' | 'log'>): Pick<
  AppContext,
  'areas' | 'registry' | 'engine' | 'journal' | 'exchanged' | 'wake'
> {
  const registry = createRegistry(areas.flatMap((area) => area.records))
  const wake = () => fanout.publish('records', '')
  return {
    areas,
    registry,
    wake,
    exchanged: exchangeJournal(db, log),
    engine: createEngine({
      db,
      registry,
      wake,
      publicUrl: config.publicUrl,
    }),
    journal: createJournal({
      dir: join(config.dataDir, 'journal'),
      db,
      log,
      inBase: config.databaseUrl !== undefined,
    }),
  }
}

/** Registers all areas of the server. */
export async function registerRooms(app: AppContext): Promise<void> {
  const auth = registerAuth(app)
  admitRequests(app.server, (request) => auth.whoOf(request))
  traceRequests(app.server, app.config.trustProxy.length > 0)
  const realtime = openRealtime(app, auth, createVisibility(app.db, app.registry))
  const socket = { name: 'realtime', title: 'Сокет', records: [], operations: realtime.operations }
  const described = [socket, ...areas.map(withReports)]
  registerOperations(
    app,
    described.flatMap((area) => area.operations ?? []),
    auth,
  )
  registerRecordRoutes(app, app.registry, auth)
  registerTrash(app)
  if (app.config.apiDocs) await serveApiDocs(app.server, () => openApi(described))
  app.onReady(() => app.journal.start())
  app.onReady(() => makeDemo(app, areas))
  startRuns(
    app,
    areas.flatMap(({ runs = [] }) => runs),
  )
  for (const area of areas) await area.start?.(app)
}
