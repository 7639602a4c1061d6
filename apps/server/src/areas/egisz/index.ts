import { EgiszEvent, EgiszOperation } from '@ordinator/model/areas/egisz/semd'
import { EgiszRule } from '@ordinator/model/areas/egisz/setUp'
import sql from 'sql-template-tag'
import { readCommonSettings } from '#areas/settings/index.ts'
import { type Adapter, AdapterFault } from '#platform/adapter.ts'
import { systemActor } from '#records/actor.ts'
import type { Area } from '#records/area.ts'
import type { AppContext } from '#records/context.ts'
import { records } from '#records/define.ts'
import { callback } from './callback.ts'
import { collectSigned } from './collectSemds.ts'
import { egiszConnection, nsiConnection } from './connection.ts'
import { demo } from './demo.ts'
import { dictionaries, dictionaryCalls, startDictionaries } from './dictionaries.ts'
import { editionCalls, editions } from './editions.ts'
import { examinationSource } from './examinationSource.ts'
import { eventFigures, figures, messageFigures } from './figures.ts'
import { registerAdapter } from './register.ts'
import { semdCalls, semds } from './semds.ts'
import { registerSemdSource } from './sources.ts'
import { state } from './state.ts'
import { taxSource } from './taxSource.ts'

export { inZone } from './inZone.ts'
export { registerSemdSource, type SemdSource, type SourceData } from './sources.ts'

/** The exchange with ЕГИСЗ: electronic medical documents, their register, dictionaries of НСИ, and their journals. */
export const egisz: Area = {
  name: 'egisz',
  title: 'ЕГИСЗ',
  records: [semds, records(EgiszOperation), records(EgiszEvent), editions, records(EgiszRule), dictionaries],
  counts: [figures],
  operations: [state, ...semdCalls, ...editionCalls, ...dictionaryCalls, messageFigures, eventFigures, callback],
  adapters: egiszAdapters,
  start(app) {
    app.outbox.register(registerAdapter(app))
    registerSemdSource(app, examinationSource)
    registerSemdSource(app, taxSource)
    startDictionaries(app)
    app.jobs.register('egisz.collect', {
      cron: '* * * * *',
      handler: () => collectSigned(app, { records: app.engine.for(systemActor) }),
    })
  },
  demo,
}

async function egiszAdapters(app: AppContext): Promise<Adapter[]> {
  const { egiszMode, nsiAddress } = await readCommonSettings(app.db)
  return [
    {
      key: 'egisz',
      code: 'egisz',
      name: 'ЕГИСЗ: РЭМД',
      mode: egiszMode,
      setIn: 'Настройки → ЕГИСЗ',
      queue: async () =>
        (
          await app.db.one<{ n: number }>(
            sql`select count(*)::int as n from (select from outbox where "adapter" = 'egisz' and "state" <> 'dead' limit 10000) q`,
          )
        )?.n ?? 0,
      async check() {
        const connection = await egiszConnection(app)
        if (!connection) throw new AdapterFault('Укажите адрес шлюза и ОИД организации')
        const { status } = await connection.remote.quietly({ path: '/emd?wsdl' })
        if (status >= 400) throw new AdapterFault(`Шлюз ответил ${status}`)
      },
      isQuiet: true,
    },
    {
      key: 'nsi',
      code: 'nsi',
      name: 'НСИ: справочники Минздрава',
      mode: egiszMode === 'prod' || egiszMode === 'test' ? (nsiAddress ? egiszMode : 'off') : egiszMode,
      setIn: 'Настройки → ЕГИСЗ → Справочники НСИ',
      async check() {
        const { remote } = await nsiConnection(app)
        const { status } = await remote.quietly({ path: '' })
        if (status >= 500) throw new AdapterFault(`НСИ ответила ${status}`)
      },
      isQuiet: true,
    },
  ]
}
