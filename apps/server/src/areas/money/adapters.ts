import type { AdapterMode } from '@ordinator/model/areas/exchange/integration'
import { CashDesk } from '@ordinator/model/areas/money/desk'
import sql from 'sql-template-tag'
import { type Adapter, AdapterFault } from '../../platform/adapter.ts'
import type { AppContext } from '../../records/context.ts'
import { type DeskDevices, deskDevices, kktOf, terminalOf } from './connect.ts'
import { DeviceError } from './devices.ts'
import { isWaitingSql } from './fiscal.ts'

/** Desks whose devices are shown. */
const MOST_DESKS = 50
/** An operation that is never carried out: asked for, to hear whether the terminal answers. */
const NO_OPERATION = 'check'

interface Desk extends DeskDevices {
  name: string
  queued: number
}
/** A device that is played, or one that is there. */
const modeOf = (mode: string): AdapterMode => (mode === 'none' ? 'off' : mode === 'simulator' ? mode : 'prod')

/** The register and the terminal of each desk that works. */
export async function deskAdapters(app: AppContext): Promise<Adapter[]> {
  const { db } = app
  const desks = await db.query<Desk>(sql`
    select ${deskDevices}, d."name", (select count(*)::int from fiscal_tasks t
      where t."idDesk" = d."id" and ${isWaitingSql}) as queued
    from cash_desks d where d."active" and not d."deleted" order by d."id" limit ${MOST_DESKS}`)
  return desks.flatMap((desk): Adapter[] => {
    const about = { path: CashDesk.path, id: desk.id }
    const place = { setIn: 'Настройки → Рабочие места касс', page: 'cashDesks', about, isQuiet: true } as const
    return [
      {
        ...place,
        key: `kkt-${desk.id}`,
        code: 'kkt',
        name: `ККТ: ${desk.name}`,
        mode: modeOf(desk.kktMode),
        queue: async () => desk.queued,
        check: () => asked(kktOf(app, desk)?.state()),
      },
      {
        ...place,
        key: `terminal-${desk.id}`,
        code: 'terminal',
        name: `Терминал: ${desk.name}`,
        mode: modeOf(desk.terminalMode),
        check: () => asked(terminalOf(app, desk)?.ask(NO_OPERATION)),
      },
    ]
  })
}

async function asked(answer: Promise<unknown> | undefined): Promise<void> {
  try {
    await answer
  } catch (error) {
    throw error instanceof DeviceError ? new AdapterFault(error.message) : error
  }
}
