import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { agentLines, DeskAgent } from '@ordinator/model/areas/agents/agent'
import { agentCalls } from '@ordinator/model/areas/agents/calls'
import sql from 'sql-template-tag'
import { type Adapter, AdapterFault } from '#platform/adapter.ts'
import { HttpError } from '#platform/errors.ts'
import type { Area } from '#records/area.ts'
import type { AppContext } from '#records/context.ts'
import { records } from '#records/define.ts'
import { operation } from '#records/operation.ts'
import { AGENT_VERSION } from './agent.ts'
import { AgentFault, askAgent, digestOf, endLine, isOnlineSql, startLines } from './lines.ts'

export { type AgentAnswer, type AgentTask, perform, type RunningAgent, runAgent } from './agent.ts'
export { AgentFault, askAgent, fateOf, onAgent } from './lines.ts'

/** Maximum number of agents shown as cards. */
const MOST_AGENTS = 100
const CHECK_MS = 5_000
const FILE_NAME = 'ordinator-agent.mjs'

const agentRecords = records(DeskAgent, {
  computed: { isOnline: ({ row }) => isOnlineSql(sql`${row}."id"`) },
  hooks: {
    async afterUpdate({ tx }, agent, before) {
      if (before.active && !agent.active) await endLine(tx, agent.id)
    },
    async afterDelete({ tx }, { id }) {
      await tx.query(sql`update desk_agent_lines set "tokenHash" = null where "idAgent" = ${id}`)
      await endLine(tx, id)
    },
  },
})

const SOURCE = join(import.meta.dirname, 'agent.ts')
const PLACE = 'const EMBEDDED = null'

/** The agent's file with its settings embedded. */
function fileOf(settings: object): string {
  const plain = stripTypeScriptTypes(readFileSync(SOURCE, 'utf8')).replace(/const EMBEDDED\s+= null/, PLACE)
  const text = plain.replace(PLACE, `const EMBEDDED = ${JSON.stringify(settings, null, 2)}`)
  if (text === plain) throw new Error('the place of settings was not found in agent.ts')
  return text
}

const file = operation(agentCalls.file, async ({ app, records, params: { id } }) => {
  const token = randomBytes(32).toString('base64url')
  const agent = await records.tx(async (inside, tx) => {
    const row = await inside.row(DeskAgent, id)
    if (!row.active) throw new HttpError(409, 'Агент выключен: сначала включите его', { code: 'state' })
    await tx.query(sql`insert into desk_agent_lines ("idAgent", "tokenHash") values (${id}, ${digestOf(token)})
      on conflict ("idAgent") do update set "tokenHash" = excluded."tokenHash"`)
    await endLine(tx, id)
    return inside.asSystem.update(DeskAgent, id, { dateToken: new Date().toISOString() })
  })
  const [addresses, programs] = [agentLines(agent.addresses), agentLines(agent.programs)]
  return { name: FILE_NAME, text: fileOf({ server: app.config.publicUrl, token, addresses, programs }) }
})

const revoke = operation(agentCalls.revoke, async ({ records, params: { id } }) => {
  await records.tx(async (inside, tx) => {
    await inside.row(DeskAgent, id)
    await tx.query(sql`update desk_agent_lines set "tokenHash" = null where "idAgent" = ${id}`)
    await inside.asSystem.update(DeskAgent, id, { dateToken: null })
    await endLine(tx, id)
  })
})

/** @throws AdapterFault with the reason of a missing reply */
async function ping(app: AppContext, id: number): Promise<string> {
  try {
    return (await askAgent(app, id, { task: { kind: 'ping', timeout: CHECK_MS } })).text
  } catch (error) {
    throw error instanceof AgentFault ? new AdapterFault(error.message) : error
  }
}

const check = operation(agentCalls.check, async ({ app, records, params: { id } }) => {
  await records.row(DeskAgent, id)
  const start = performance.now()
  try {
    const version = await ping(app, id)
    return { version, isOld: version !== AGENT_VERSION, durationMs: Math.round(performance.now() - start) }
  } catch (error) {
    throw error instanceof AdapterFault ? new HttpError(409, error.message, { code: 'agent' }) : error
  }
})

async function agentAdapters(app: AppContext): Promise<Adapter[]> {
  const agents = await app.db.query<{
    id: number
    name: string
    hasToken: boolean
    isOnline: boolean
    isOld: boolean
    computer: string | null
  }>(sql`
    select a."id"::int as id, a."name", a."dateToken" is not null as "hasToken", a."computer",
      a."version" is distinct from ${AGENT_VERSION} as "isOld", ${isOnlineSql(sql`a."id"`)} as "isOnline" from desk_agents a
    where a."active" and not a."deleted" order by a."id" limit ${MOST_AGENTS}`)
  return agents.map(({ id, name, hasToken, isOnline, isOld, computer }) => ({
    key: `agent-${id}`,
    code: 'agent',
    about: { path: DeskAgent.path, id },
    name: `Агент: ${name}`,
    mode: hasToken ? 'prod' : 'off',
    setIn: 'Настройки → Агенты касс',
    page: 'deskAgents',
    isQuiet: true,
    note: async () => {
      if (!isOnline) return 'Не на связи'
      return `На связи${computer ? `, компьютер ${computer}` : ''}${isOld ? '. Есть новая версия: скачайте файл заново' : ''}`
    },
    check: async () => void (await ping(app, id)),
  }))
}

/** Agents of desks: programs beside registers and terminals that connect the server to these. */
export const agents: Area = {
  name: 'agents',
  title: 'Агенты касс',
  records: [agentRecords],
  operations: [file, revoke, check],
  adapters: agentAdapters,
  start: startLines,
}
