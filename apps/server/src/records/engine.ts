import { checkBody, type FieldError } from '@ordinator/model/check'
import { maxCount } from '@ordinator/model/count'
import { type Create, computedByKept, type Entity, keptBecause, type Row, type Update } from '@ordinator/model/entity'
import { positionOf } from '@ordinator/model/fields/position'
import { SEALED } from '@ordinator/model/sealed'
import sql, { Sql } from 'sql-template-tag'
import type { Db, Queryable, Tx } from '../platform/db.ts'
import {
  badRequest,
  conflict,
  forbidden,
  fromPgError,
  HttpError,
  notFound,
  ValidationError,
} from '../platform/errors.ts'
import type { ServerActor } from './actor.ts'
import {
  createFromSql,
  deleteWhereSql,
  givenSql,
  mustPassHooks,
  outOfReachSql,
  picked,
  updateWhereSql,
} from './bulk.ts'
import type { Definition, Hooks, Registry, WriteContext } from './define.ts'
import { keepValues } from './fields/registry.ts'
import { COSTLY_STEPS } from './filter.ts'
import { type GroupRow, groupedQuery, groupedText, parseGroupedQuery } from './grouped.ts'
import { journal, journalActor } from './journal.ts'
import { groupIn, lockGroup, place } from './move.ts'
import { type ListQuery, parseListQuery, parseViewQuery, type RawParams } from './params.ts'
import { aliases, bind, me, name, type Plan, planCache, query, queryAnew } from './plan.ts'
import { type ListRow, listQuery, openPlan, viewPlan } from './reads.ts'
import type { Batch, BulkOptions, MovePlace, Records, SystemRecords, ThreadRow } from './records.ts'
import { type Env, mayDo, principalsOnce, type RowAction } from './scope.ts'
import { sealedRefusal } from './sealed.ts'
import { searchSql } from './search.ts'
import { encodeCursor } from './sort.ts'
import { threadKinds, threadSql } from './thread.ts'
import { tell, toldOf } from './told.ts'
import {
  changesOf,
  checkReferences,
  deleteSql,
  insertInputs,
  insertPlan,
  insertShape,
  type Locked,
  lockedSql,
  lockSql,
  stillAllowedSql,
  trashSql,
  updateSql,
  type Values,
} from './write.ts'

/** Days that the trash keeps a deleted record. */
export const TRASH_DAYS = 30
const MAX_BATCH = 500

export interface EngineDeps {
  db: Db
  registry: Registry
  /** Called after the commit of a write, to wake the readers of history. */
  wake(): void
  /** Where people reach the server; absent: nowhere. */
  publicUrl?: string
}

/** The engine for an actor. */
export function createEngine(deps: EngineDeps): { for(actor: ServerActor): Records } {
  const plans = planCache()
  return { for: (actor) => recordsOf({ ...deps, plans }, actor, undefined) }
}

interface Inner extends EngineDeps {
  plans: ReturnType<typeof planCache>
}

function recordsOf(inner: Inner, actor: ServerActor, tx: Tx | undefined): SystemRecords {
  const db: Queryable = tx ?? inner.db
  // The server's own work reads where it writes, whose statements may run longer.
  const reads: Queryable = tx ?? (actor.system ? inner.db : inner.db.reads)
  const costly: Queryable = tx ?? (actor.system ? inner.db : inner.db.costly)
  const env = (): Env => ({ registry: inner.registry, actor, me, alias: aliases() })
  const definitionOf = (entity: Entity) => inner.registry.at(entity.path)

  function gate(entity: Entity, action: RowAction): Definition {
    if (!mayDo(actor, action, entity)) throw forbidden()
    return definitionOf(entity)
  }

  const telling = () => ({ db: reads, registry: inner.registry, records: self })

  /** Plans differ by what the actor may see at all, not by who it is. */
  function planned(d: Definition, kind: string, shape: string, make: () => Plan): Plan {
    return inner.plans(`${kind} ${d.entity.path} ${rightsKey(actor)} ${shape}`, make)
  }

  const weighed = (cost: { steps: number }, make: () => Plan) => (): Plan => {
    const made = make()
    return { ...made, costly: cost.steps >= COSTLY_STEPS }
  }
  const laneOf = (p: Plan): Queryable => (p.costly ? costly : reads)

  async function view(entity: Entity, id: number, params: RawParams = {}): Promise<string> {
    const d = gate(entity, 'view')
    const asked = d.told && toldOf(d, parseViewQuery(params))
    const p = planned(d, 'view', JSON.stringify(params), () => viewPlan(env(), d, asked?.q ?? parseViewQuery(params)))
    const found = await reads.one<{ item: string; isOpen: boolean }>(bind(p, actor, id))
    if (!found) throw notFound()
    if (!found.isOpen) throw sealedRefusal(entity)
    if (!asked?.names.length) return found.item
    return (await tell(d, asked.names, `[${found.item}]`, telling())).slice(1, -1)
  }

  async function isOpen(entity: Entity, id: number, deleted: boolean | 'any' = false): Promise<boolean> {
    const d = gate(entity, 'view')
    const p = planned(d, 'open', String(deleted), () => openPlan(env(), d, deleted))
    const found = await reads.one<{ isOpen: boolean }>(bind(p, actor, id))
    if (!found) throw notFound()
    return found.isOpen
  }

  async function mustOpen(entity: Entity, id: number, deleted?: boolean | 'any'): Promise<void> {
    if (!(await isOpen(entity, id, deleted))) throw sealedRefusal(entity)
  }

  async function list(entity: Entity, params: RawParams): Promise<string> {
    const d = gate(entity, 'view')
    const { q, names } = toldOf(d, parseListQuery(params))
    const cost = { steps: 0 }
    const { shape, inputs, make } = listQuery({ ...env(), cost }, d, q)
    const p = planned(d, 'list', shape, weighed(cost, make))
    const found = (await laneOf(p).one<ListRow>(bind(p, actor, undefined, inputs))) as ListRow
    const total = q.count ? totalText(q, found.total ?? 0) : ''
    const next = found.more && found.last ? `,"next":${JSON.stringify(encodeCursor(found.last))}` : ''
    const page = q.after === undefined ? `"currentPage":${q.page},` : ''
    const items = names.length ? await tell(d, names, found.items, telling()) : found.items
    return `{"items":${items},"_meta":{${page}"perPage":${q.limit},"hasMore":${found.more}${total}${next}}}`
  }

  async function grouped(entity: Entity, params: RawParams): Promise<string> {
    const d = gate(entity, 'view')
    const q = parseGroupedQuery(params)
    const cost = { steps: 0 }
    const { shape, inputs, make } = groupedQuery({ ...env(), cost }, d, q)
    const p = planned(d, 'grouped', shape, weighed(cost, make))
    return groupedText(await laneOf(p).query<GroupRow>(bind(p, actor, undefined, inputs)), q)
  }

  /** Runs within the transaction there is, or in one of its own; wakes the readers of events after the commit. */
  async function write<T>(run: (context: WriteContext) => Promise<T>): Promise<T> {
    const within = (own: Tx, records: Records): WriteContext => ({
      ...{ actor, tx: own, records },
      publicUrl: inner.publicUrl ?? '',
    })
    if (tx) return run(within(tx, self))
    return inner.db.tx(async (own) => {
      own.afterCommit(inner.wake)
      return run(within(own, recordsOf(inner, actor, own)))
    })
  }

  function checked(entity: Entity, body: unknown, action: 'create' | 'update'): Values {
    const result = checkBody(entity, body, action, actor.system ? undefined : actor)
    if (result.errors) throw new ValidationError(result.errors)
    keepValues(entity, result.value)
    return result.value
  }

  async function createJson<E extends Entity>(entity: E, body: Create<E>): Promise<string> {
    const d = gate(entity, 'create')
    const values = checked(entity, body, 'create')
    const hooks = d.hooks as Hooks<E> | undefined
    hooks?.prepare?.(values as Update<E>, undefined)
    const position = positionOf(entity.fields)
    if (!position && !takesHooks(hooks, values as Create<E>)) {
      const made = await insert(db, d, values)
      if (!tx) inner.wake()
      return made.item
    }
    return write(async (context) => {
      const own = takesHooks(hooks, values as Create<E>) ? hooks : undefined
      await own?.beforeCreate?.(context, values as Create<E>)
      // Who goes to the end of a group waits for the others who do, so that no two stand in one place.
      if (position && values[position[0]] === undefined)
        await lockGroup(context.tx, entity.path, groupIn(position[1], values))
      const made = await insert(context.tx, d, values)
      if (!own?.afterCreate) return made.item
      await own.afterCreate(context, JSON.parse(made.item), values as Create<E>)
      // A hook may have changed what the computed fields say; what its actor may not see it is still told of once.
      return context.records.view(entity, made.id).catch(orWhenUnseen(made.item))
    })
  }

  async function insert(target: Queryable, d: Definition, values: Values): Promise<{ item: string; id: number }> {
    await checkReferences(env(), d, values, target)
    const nobody = actor.id === 0 ? ' by nobody' : ''
    const p = inner.plans(`insert ${d.entity.path} ${rightsKey(actor)}${nobody} ${insertShape(d, values)}`, () =>
      insertPlan(env(), d, values),
    )
    const made = await target.one<{ item: string; id: number }>(
      bind(p, actor, undefined, insertInputs(actor, d, values)),
    )
    if (!made) throw forbidden()
    return made
  }

  async function lock(
    target: Queryable,
    d: Definition,
    id: number,
    action: 'update' | 'delete',
    deleted = false,
  ): Promise<Values> {
    await target.query(query(lockSql(d, id), actor))
    const locked = await target.one<Locked>(query(lockedSql(env(), d, id, action, deleted), actor))
    if (!locked) throw notFound()
    if (!locked.allowed) throw forbidden()
    if (!locked.isOpen) throw sealedRefusal(d.entity)
    return JSON.parse(locked.item)
  }

  async function update<E extends Entity>(entity: E, id: number, body: Update<E>): Promise<Row<E>> {
    const d = gate(entity, 'update')
    const values = checked(entity, body, 'update')
    return write(async (context) => {
      const before = await lock(context.tx, d, id, 'update')
      await refuseStale(context.records, entity, before, (body as Values)._version)
      const made = await change(context, d, before, values)
      return JSON.parse(await context.records.view(entity, id).catch(orWhenUnseen(made ?? JSON.stringify(before))))
    })
  }

  /** Writes what differs, with the hooks around it. The row is locked. @returns the row as it is stored now, as JSON */
  async function change(
    context: WriteContext,
    d: Definition,
    before: Values,
    values: Values,
  ): Promise<string | undefined> {
    const id = before.id as number
    const hooks = d.hooks as Hooks<Entity> | undefined
    hooks?.prepare?.(values as Update<Entity>, before as Row<Entity>)
    await hooks?.beforeUpdate?.(context, values as Update<Entity>, before as Row<Entity>)
    const changes = changesOf(d.entity, before, values)
    if (Object.keys(changes).length === 0) return undefined
    const changed = Object.fromEntries(Object.keys(changes).map((field) => [field, values[field]]))
    await checkReferences(env(), d, changed, context.tx)
    const made = await context.tx.one<{ item: string }>(query(updateSql(env(), d, id, changed, changes), actor))
    await stillAllowed(context.tx, d, id)
    if (made) await hooks?.afterUpdate?.(context, JSON.parse(made.item), before as Row<Entity>)
    return made?.item
  }

  async function stillAllowed(target: Tx, d: Definition, id: number): Promise<void> {
    const statement = stillAllowedSql(env(), d, id)
    if (!statement) return
    const answer = await target.one<{ allowed: boolean }>(query(statement, actor))
    if (!answer?.allowed) throw forbidden()
  }

  async function remove(entity: Entity, id: number): Promise<void> {
    const d = gate(entity, 'delete')
    await write(async (context) => {
      const hooks = d.hooks as Hooks<Entity> | undefined
      const before = await lock(context.tx, d, id, 'delete')
      const refusal = actor.system
        ? undefined
        : keptBecause(entity, { ...before, ...(await factsOfKept(context, d, id)) }, actor)
      if (refusal) throw new HttpError(409, refusal, { code: 'kept' })
      await hooks?.beforeDelete?.(context, before as Row<Entity>)
      await context.tx.query(query(entity.soft ? trashSql(env(), d, id, true) : deleteSql(env(), d, id, before), actor))
      await hooks?.afterDelete?.(context, before as Row<Entity>)
    })
  }

  /** What `kept` reads of other records, as it is now that the row is locked. */
  async function factsOfKept({ records }: WriteContext, { entity }: Definition, id: number): Promise<Values> {
    const names = computedByKept(entity)
    return names.length === 0 ? {} : JSON.parse(await records.asSystem.view(entity, id, { fields: names.join() }))
  }

  async function restore<E extends Entity>(entity: E, id: number): Promise<Row<E>> {
    const d = gate(entity, 'delete')
    if (!entity.soft) throw notFound()
    return write(async (context) => {
      const before = await lock(context.tx, d, id, 'delete', true)
      const kept = sql`select 1 from ${name(entity.table)} where "id" = ${id} and "_deletedAt" > now() - make_interval(days => ${TRASH_DAYS})`
      if (!(await context.tx.one(kept))) throw notFound('Срок хранения в корзине истёк')
      await context.tx.query(query(trashSql(env(), d, id, false), actor))
      await (d.hooks as Hooks<E> | undefined)?.afterRestore?.(context, {
        ...before,
        deleted: false,
      } as unknown as Row<E>)
      return JSON.parse(await context.records.view(entity, id))
    })
  }

  async function move<E extends Entity>(entity: E, id: number, to: MovePlace): Promise<Row<E>> {
    const d = gate(entity, 'update')
    const position = positionOf(entity.fields)
    if (!position) throw notFound()
    return write(async (context) => {
      const before = await lock(context.tx, d, id, 'update')
      await refuseStale(context.records, entity, before, to._version)
      const values = await place(env(), d, position, before, to, context.tx)
      const made = await change(context, d, before, values)
      return JSON.parse(await context.records.view(entity, id).catch(orWhenUnseen(made ?? JSON.stringify(before))))
    })
  }

  async function batch<E extends Entity>(entity: E, body: Batch) {
    const size = (body.create?.length ?? 0) + (body.update?.length ?? 0) + (body.delete?.length ?? 0)
    if (size > MAX_BATCH) throw badRequest(`В одном запросе больше ${MAX_BATCH} записей`)
    return write(async ({ records }) => {
      const made = { create: [] as Row<E>[], update: [] as Row<E>[], delete: [] as number[] }
      for (const [i, item] of (body.create ?? []).entries()) {
        made.create.push(await within(`create[${i}]`, () => records.create(entity, item as Create<E>)))
      }
      for (const [i, { id, ...item }] of (body.update ?? []).entries()) {
        made.update.push(await within(`update[${i}]`, () => records.update(entity, id, item as Update<E>)))
      }
      for (const id of body.delete ?? []) {
        await records.remove(entity, id)
        made.delete.push(id)
      }
      return made
    })
  }

  /**
   * Runs the statement of a bulk write and answers its rows. With `byRights` it is built for the person that the
   * server's own code works for.
   */
  async function bulk(
    d: Definition,
    action: 'create' | 'update' | 'delete',
    options: BulkOptions,
    statement: (seen: Env, context: WriteContext) => Promise<Sql> | Sql,
  ): Promise<never[]> {
    mustPassHooks(d, action, options)
    const { system: _, ...person } = actor
    if (options.byRights && !mayDo(person, action, d.entity)) throw forbidden()
    const seen = options.byRights ? { ...env(), actor: person } : env()
    return write(async (context) => {
      const made = await context.tx.query<{ item: never }>(query(await statement(seen, context), actor))
      const items = made.map(({ item }) => item)
      if (options.byRights && action === 'update') await allStillAllowed(context.tx, seen, d, items)
      return items
    })
  }

  async function allStillAllowed(target: Tx, seen: Env, d: Definition, rows: readonly { id: number }[]): Promise<void> {
    const lost = outOfReachSql(
      seen,
      d,
      rows.map(({ id }) => id),
    )
    if (lost && (await target.one(query(lost, actor)))) throw forbidden()
  }

  /** Plain values of a bulk write are checked as a body; SQL is the caller's. */
  async function checkedSets(d: Definition, sets: Values, target: Queryable): Promise<Values> {
    const given = Object.entries(sets).filter(([, value]) => value !== undefined)
    const own = given.filter(([field, value]) => field === 'id' || value instanceof Sql)
    const plain = checked(d.entity, Object.fromEntries(given.filter((one) => !own.includes(one))), 'update')
    await checkReferences(env(), d, plain, target)
    return { ...plain, ...Object.fromEntries(own) }
  }

  const self: SystemRecords = {
    actor,
    list,
    grouped,
    view,
    mustOpen,
    async open(entity, id, basis) {
      // What stands open needs no reason, and none is kept.
      if (await isOpen(entity, id)) return
      const line = { ...journalActor(actor), action: 'open' as const, entityType: entity.path, idEntity: id }
      await journal(db, { ...line, basis, ...(entity.personal === 'id' && { idCustomer: id }) })
    },
    async search(asked, most) {
      const statement = searchSql(env(), asked, most)
      return statement ? reads.query(queryAnew(statement, actor)) : []
    },
    async thread(entity, asked) {
      const d = definitionOf(entity)
      await mustOpen(entity, asked.id)
      const rows = await reads.query<ThreadRow>(
        query(
          principalsOnce(env(), (one) => threadSql(one, d, asked)),
          actor,
        ),
      )
      return { rows, kinds: threadKinds(env(), d) }
    },
    createJson,
    create: async (entity, body) => JSON.parse(await createJson(entity, body)),
    update,
    remove,
    restore,
    move,
    batch,
    updateWhere: (entity, which, set, options = {}) => {
      const d = definitionOf(entity)
      return bulk(d, 'update', options, async (seen, { tx }) => {
        const row = seen.alias()
        const sets = typeof set === 'function' ? set({ row, me, picked }) : set
        return updateWhereSql(seen, d, row, which, await checkedSets(d, sets, tx), options)
      })
    },
    deleteWhere: (entity, which, options = {}) => {
      const d = definitionOf(entity)
      return bulk(d, 'delete', options, (seen) => deleteWhereSql(seen, d, seen.alias(), which, options))
    },
    createFrom: (entity, from, values, options = {}) => {
      const d = definitionOf(entity)
      return bulk(d, 'create', options, async (seen, { tx }) =>
        createFromSql(seen, d, from, await checkedSets(d, values, tx), options),
      )
    },
    createMany: async (entity, bodies, options = {}) => {
      if (bodies.length === 0) return []
      const d = definitionOf(entity)
      const all = await Promise.all(
        bodies.map((body, i) => within(`[${i}]`, async () => checked(entity, body, 'create'))),
      )
      return bulk(d, 'create', options, async (seen, { tx }) => {
        await checkReferences(env(), d, all, tx)
        const { from, values } = givenSql(entity, all)
        return createFromSql(seen, d, from, values, options)
      })
    },
    rows: async (entity, params) => JSON.parse(await list(entity, params)).items,
    row: async (entity, id) => JSON.parse(await view(entity, id)),
    tx: (run) => write((context) => run(context.records, context.tx)),
    get asSystem() {
      return actor.system ? self : recordsOf(inner, { ...actor, system: true }, tx)
    },
    as: (other) => recordsOf(inner, other, tx),
  }
  return self
}

/** A create without hooks is one statement, and needs no transaction around it. */
const takesHooks = <E extends Entity>(hooks: Hooks<E> | undefined, value: Create<E>): boolean =>
  (hooks?.beforeCreate !== undefined || hooks?.afterCreate !== undefined) && (hooks.createTakesHooks?.(value) ?? true)

/** @throws HttpError 409 with the record as it is, when the client has seen an older version */
async function refuseStale(records: Records, entity: Entity, before: Values, seen: unknown): Promise<void> {
  if (seen === undefined || seen === before._version) return
  if (typeof seen !== 'number') throw new ValidationError([{ field: '_version', message: 'Поле должно быть числом' }])
  throw conflict(JSON.parse(await records.view(entity, before.id as number)))
}

/** A write may take the record out of its writer's own sight; the writer is answered all the same. */
function orWhenUnseen(item: string): (error: unknown) => string {
  return (error) => {
    if (error instanceof HttpError && (error.status === 404 || error.code === SEALED)) return item
    throw error
  }
}

/** Errors of one item of a batch name the item. */
async function within<T>(prefix: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    const known = error instanceof HttpError ? error : fromPgError(error)
    if (!(known instanceof ValidationError)) throw known ?? error
    throw new ValidationError(
      known.items.map((item: FieldError) => ({ field: `${prefix}.${item.field}`, message: item.message })),
    )
  }
}

/** How many there are; beyond what is counted, pages are not numbered either. */
function totalText({ count, limit }: ListQuery, total: number): string {
  if (count !== 'exact' && total > maxCount) return `,"totalCount":${maxCount},"totalIsMore":true`
  return `,"totalCount":${total},"pageCount":${limit ? Math.ceil(total / limit) : 0}`
}

/** A short name for each set of permissions: the whole set would make every plan's key a kilobyte. */
const rightsNames = new Map<string, string>()
interface RightsKey extends Pick<ServerActor, 'tariff' | 'modules'> {
  key: string
}
/** By the permissions, which an actor of one session shares with the next. */
const rightsKeys = new WeakMap<object, RightsKey>()

/** Names what an actor may see, so that actors of equal rights share plans. */
function rightsKey({ system, permissions, tariff, modules }: ServerActor): string {
  if (system) return 'system'
  const known = rightsKeys.get(permissions)
  if (known && known.tariff === tariff && known.modules === modules) return known.key
  const all = Object.keys(permissions).sort().join()
  const name = rightsNames.get(all) ?? `p${rightsNames.size}`
  rightsNames.set(all, name)
  const key = `${tariff ?? ''} ${modules?.join() ?? ''} ${name}`
  rightsKeys.set(permissions, { tariff, modules, key })
  return key
}
