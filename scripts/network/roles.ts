/** The status of each part: who leads, who follows, how far behind. */
import { connect } from 'node:net'
import { listens } from './network.ts'
import type { Part } from './parts.ts'
import { at, HOST, PORTS } from './ports.ts'

const ANSWER_MS = 1_500

interface Member {
  name: string
  /** `leader`, `sync_standby`, `replica`. */
  role: string
  state: string
  port: number
  /** Bytes behind the primary. */
  lag?: number | string
}

/** The bases as Patroni sees them, asked of whichever answers. */
export async function clusterOf(): Promise<Member[]> {
  return Promise.any(
    PORTS.patroni.map(async (port) => {
      const answer = await fetch(`http://${at(port)}/cluster`, { signal: AbortSignal.timeout(ANSWER_MS) })
      return ((await answer.json()) as { members: Member[] }).members
    }),
  )
}

const ROLES: Record<string, string> = {
  leader: 'главная',
  sync_standby: 'синхронная реплика',
  replica: 'асинхронная реплика',
}

/** A part's own words, in Russian; undefined: it does not answer. */
export async function roleOf(part: Part, members: readonly Member[]): Promise<string | undefined> {
  switch (part.kind) {
    case 'base': {
      // The small network has no Patroni.
      if (members.length === 0) return (await listens(part.port)) ? 'отвечает' : undefined
      const member = members.find(({ name }) => name === part.name)
      const port = PORTS.patroni[Number(part.name.slice(-1)) - 1] as number
      const { ok } = await fetch(`http://${at(port)}/liveness`, { signal: AbortSignal.timeout(ANSWER_MS) })
      if (!member || !ok) return undefined
      const lag = member.role === 'leader' ? '' : `, отстаёт на ${member.lag ?? '?'} байт`
      return `${ROLES[member.role] ?? member.role} (${member.state}${lag})`
    }
    case 'server': {
      const { status } = await fetch(`http://${at(part.port)}/health`, { signal: AbortSignal.timeout(ANSWER_MS) })
      return status === 200 ? 'отвечает' : `отвечает ${status}: базы нет`
    }
    case 'redis': {
      const role = await redisRole(part.port)
      return role === 'master' ? 'главный' : role && 'запасной'
    }
    case 'etcd': {
      const { status } = await fetch(`http://${at(part.port)}/health`, { signal: AbortSignal.timeout(ANSWER_MS) })
      return status === 200 ? 'в согласии' : 'без большинства'
    }
    default:
      return (await listens(part.port)) ? 'отвечает' : undefined
  }
}

/** The name of the Redis that is the master. @throws Error without one */
export async function redisMaster(): Promise<string> {
  const roles = await Promise.all(PORTS.redisNodes.map(redisRole))
  const index = roles.indexOf('master')
  if (index < 0) throw new Error('no master of Redis')
  return `redis-${index + 1}`
}

function redisRole(port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(port, HOST, () => socket.write('INFO replication\r\n'))
    socket.setTimeout(ANSWER_MS, () => socket.destroy())
    socket.once('data', (text) => {
      resolve(/role:(\w+)/.exec(text.toString())?.[1])
      socket.destroy()
    })
    socket.once('error', () => resolve(undefined)).once('close', () => resolve(undefined))
  })
}
