import { commonSettings } from '@ordinator/model/areas/settings/commonSettings'
import { type Permission, permissionNames } from '@ordinator/model/permissions'
import { type Module, modules, type Tariff, tariffs } from '@ordinator/model/tariff'
import sql, { type Sql } from 'sql-template-tag'
import type { Queryable } from '#platform/db.ts'
import type { ServerActor } from '#records/actor.ts'
import type { Signal } from './signals.ts'

/** Milliseconds after which rights are re-read even without a signal. */
const CACHE_LIFE = 60_000
const MAX_CACHED = 20_000

interface Known {
  actor: ServerActor
  until: number
}

/** Cache of this process: signed-in users by session, with their rights. */
export function createActors(db: Queryable) {
  const known = new Map<string, Known>()
  const loading = new Map<string, Promise<ServerActor | undefined>>()
  let epoch = 0

  async function load(idSession: string): Promise<ServerActor | undefined> {
    const began = epoch
    const row = await db.one<ActorRow & { expiresAt: string; dateProof: string }>({
      name: 'actor-of-session',
      text: OF_SESSION,
      values: [idSession],
    })
    if (!row) return undefined
    const actor: ServerActor = { ...actorOfRow(row), idSession, proven: Date.parse(row.dateProof) }
    // A signal that arrived meanwhile may concern what was just read.
    if (began === epoch) {
      if (known.size >= MAX_CACHED) known.delete(known.keys().next().value as string)
      known.set(idSession, { actor, until: Math.min(Date.now() + CACHE_LIFE, Date.parse(row.expiresAt)) })
    }
    return actor
  }

  return {
    /** From the cache; undefined: it must be loaded. */
    known(idSession: string): ServerActor | undefined {
      const found = known.get(idSession)
      return found && found.until > Date.now() ? found.actor : undefined
    },
    /** Undefined: the session has ended, or its user may not sign in. */
    async ofSession(idSession: string): Promise<ServerActor | undefined> {
      const found = known.get(idSession)
      if (found && found.until > Date.now()) return found.actor
      let running = loading.get(idSession)
      if (!running) {
        running = load(idSession).finally(() => loading.delete(idSession))
        loading.set(idSession, running)
      }
      return running
    },
    forget({ sessions = [], users = [], all }: Signal): void {
      epoch++
      // Requests from now on must not share a load that began before the change.
      loading.clear()
      if (all) known.clear()
      for (const idSession of sessions) known.delete(idSession)
      if (users.length > 0) {
        const changed = new Set(users)
        for (const [idSession, { actor }] of known) if (changed.has(actor.id)) known.delete(idSession)
      }
    },
  }
}

interface ActorRow {
  idUser: number
  timeZone: string | null
  permissions: string[]
  mustChange: boolean
  mustAddFactor: boolean
  onlyFilials: number[] | null
  settings: Record<string, unknown> | null
}

const RIGHTS = `u.id as "idUser", u."timeZone", case when u."onlyFilials" then to_jsonb(u."filials") end as "onlyFilials",
  array(
    select unnest(r.permissions) from roles r join user_roles ur on ur."idRole" = r.id where ur."idUser" = u.id
    union select p.permission from user_permissions p where p."idUser" = u.id
  ) as permissions,
  exists (select 1 from user_secrets s where s."idUser" = u.id and (s."mustChange" or exists (
    select 1 from common_settings c where c.name = 'passwordDays' and (c.value #>> '{}')::int > 0
      and s."dateChange" < now() - make_interval(days => (c.value #>> '{}')::int)))) as "mustChange",
  exists (select 1 from user_roles ur join roles r on r.id = ur."idRole" where ur."idUser" = u.id and r."requiresFactor")
    and not exists (select 1 from user_factors f where f."idUser" = u.id and f."dateConfirmed" is not null) as "mustAddFactor",
  (select jsonb_object_agg(name, value) from common_settings
    where name in ('tariff', 'additionalServices', 'timeZone', 'allowedAddresses')) as settings`

const OF_SESSION = `select s."expiresAt", s."dateProof", ${RIGHTS} from sessions s join users u on u.id = s."idUser"
  where s.id = $1::uuid and s."endedAt" is null and s."expiresAt" > now() and not u.deleted and not u."isBlocked"`

/** SQL: the user with this id has the permission, by a role or directly. */
export const holdsSql = (idUser: Sql, permission: Permission): Sql => sql`(exists (
    select 1 from user_permissions p where p."idUser" = ${idUser} and p.permission = ${permission})
  or exists (select 1 from user_roles ur join roles r on r.id = ur."idRole"
    where ur."idUser" = ${idUser} and ${permission} = any(r.permissions)))`

/** Rights of a user, or what they would be with access enabled; undefined when there is no such user. */
export async function actorOfUser(db: Queryable, idUser: number): Promise<ServerActor | undefined> {
  const row = await db.one<ActorRow>({
    name: 'actor-of-user',
    text: `select ${RIGHTS} from users u where u.id = $1`,
    values: [idUser],
  })
  return row && actorOfRow(row)
}

/** The clinic itself, without permissions: its tariff and modules. */
export async function actorOfClinic(db: Queryable): Promise<ServerActor> {
  const row = await db.one<Pick<ActorRow, 'settings'>>({
    name: 'actor-of-clinic',
    text: "select jsonb_object_agg(name, value) as settings from common_settings where name in ('tariff', 'additionalServices')",
  })
  return actorOfRow({
    idUser: 0,
    timeZone: null,
    permissions: [],
    mustChange: false,
    mustAddFactor: false,
    onlyFilials: null,
    settings: row?.settings ?? null,
  })
}

const knownPermissions: ReadonlySet<string> = new Set(permissionNames)

function actorOfRow(row: ActorRow): ServerActor {
  const { idUser, timeZone, permissions, mustChange, mustAddFactor, onlyFilials, settings } = row
  const { tariff, additionalServices, timeZone: clinicZone, allowedAddresses } = settings ?? {}
  const mine: Partial<Record<Permission, true>> = {}
  for (const name of permissions) if (knownPermissions.has(name)) mine[name as Permission] = true
  return {
    id: idUser,
    permissions: mine,
    tariff: tariffs.includes(tariff as Tariff) ? (tariff as Tariff) : commonSettings.tariff.byDefault,
    modules: Array.isArray(additionalServices)
      ? modules.filter((m) => additionalServices.includes(m))
      : (modules as Module[]),
    ...(mustChange ? { mustChangePassword: true } : {}),
    ...(mustAddFactor ? { mustAddFactor: true } : {}),
    ...(onlyFilials ? { onlyFilials } : {}),
    ...(Array.isArray(allowedAddresses) && allowedAddresses.length > 0 ? { allowedAddresses } : {}),
    timeZone: timeZone || (typeof clinicZone === 'string' && clinicZone) || commonSettings.timeZone.byDefault,
  }
}
