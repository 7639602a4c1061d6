import type { AdapterMode } from '@ordinator/model/areas/exchange/integration'
import { CashDesk, type KktMode, type TerminalMode } from '@ordinator/model/areas/money/desk'
import sql from 'sql-template-tag'
import { AgentFault, askAgent } from '#areas/agents/index.ts'
import { clinicZone } from '#areas/settings/index.ts'
import { type Adapter, AdapterFault } from '#platform/adapter.ts'
import type { AppContext } from '#records/context.ts'
import { deskDevices, kktOf, shopOf, terminalOf } from './connect.ts'
import { type DeskDevices, DeviceError } from './devices.ts'
import { isWaitingSql } from './fiscal.ts'
import { differencesOf } from './reconcile.ts'
import { readSigns, signsOfDesk } from './signs.ts'
import { AnswerFault } from './yookassa.ts'

/** Maximum number of desks whose devices are listed. */
const MOST_DESKS = 50
/** Id of an operation that is never carried out: sent only to check that the terminal replies. */
const NO_OPERATION = 'check'
const PING_MS = 5_000

interface Desk extends DeskDevices {
  name: string
  queued: number
}
const modeOf = (mode: KktMode | TerminalMode): AdapterMode =>
  mode === 'none' || mode === 'outside' || mode === 'manual' ? 'off' : mode === 'simulator' ? mode : 'prod'

/** The register and the terminal of each active desk. */
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
        note: () => lastReceipt(app, desk),
        warnings: () => signsOfDesk(db, desk.id),
        queue: async () => desk.queued,
        async check() {
          const kkt = kktOf(app, desk)
          await asked(kkt?.signIn?.())
          await asked(kkt?.state())
          await readSigns(app, desk.id)
        },
      },
      {
        ...place,
        key: `terminal-${desk.id}`,
        code: 'terminal',
        name: `Терминал: ${desk.name}`,
        mode: modeOf(desk.terminalMode),
        warnings: () => differencesOf(db, desk.id),
        check: () => asked(terminalAnswers(app, desk)),
      },
    ]
  })
}

/** Time of the last printed receipt of the register. */
async function lastReceipt({ db }: AppContext, { id }: Desk): Promise<string | null> {
  const last = await db.one<{ fd: number | null; at: string }>(sql`select f."fd"::int as fd,
      to_char(f."dateDone" at time zone coalesce(nullif(b."timeZone", ''), ${clinicZone}), 'DD.MM.YYYY HH24:MI') as at
    from fiscal_tasks f join cash_desks d on d."id" = f."idDesk" join filials b on b."id" = d."idFilial"
    where f."idDesk" = ${id} and f."status" = 'done' order by f."dateDone" desc nulls last, f."id" desc limit 1`)
  return last ? `Последний чек ${last.at}, ФД ${last.fd ?? '—'}` : null
}

/**
 * Checks that a terminal replies: for ЮKassa the shop and its key, for a bank's program the connection of its agent.
 * @throws with the reason of a failure
 */
async function terminalAnswers(app: AppContext, desk: Desk): Promise<unknown> {
  if (desk.terminalMode === 'yookassa') {
    const shop = await shopOf(app, desk)
    if (!shop) throw new AdapterFault('Впишите shopId и секретный ключ в настройках кассы')
    return shop.check()
  }
  if (desk.terminalMode === 'command') {
    if (desk.idAgent === null) throw new AdapterFault('У кассы не выбран агент')
    return askAgent(app, desk.idAgent, { task: { kind: 'ping', timeout: PING_MS } })
  }
  return terminalOf(app, desk)?.ask(NO_OPERATION)
}

async function asked(answer: Promise<unknown> | undefined): Promise<void> {
  try {
    await answer
  } catch (error) {
    const isWords = error instanceof DeviceError || error instanceof AnswerFault || error instanceof AgentFault
    throw isWords ? new AdapterFault(error.message) : error
  }
}
