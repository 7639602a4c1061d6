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
import type {
  Asked,
  Batch,
  BulkOptions,
  CreateOptions,
  FoundRow,
  MovePlace,
  Records,
  RowsSql,
  Sets,
  SystemRecords,
  ThreadAsked,
  ThreadRow,
  Which,
} from './records.ts'
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
  const inner = { ...deps, plans: planCache() }
  return { for: (actor) => new ActorRecords(inner, actor) }
}

interface Inner extends EngineDeps {
  plans: ReturnType<typeof planCache>
}

/**
 * The engine as one actor sees it, made for each request. A class: an object literal of closures with a getter among
 * them was a dictionary to V8, and all that it named stayed until a full collection of garbage (docs/bench.md).
 */
class ActorRecords implements SystemRecords {
  readonly actor: ServerActor
  readonly #inner: Inner
  readonly #tx: Tx | undefined

  constructor(inner: Inner, actor: ServerActor, tx?: Tx) {
    this.actor = actor
    this.#inner = inner
    this.#tx = tx
  }

  get #db(): Queryable {
    return this.#tx ?? this.#inner.db
  }

  /** The server's own work reads where it writes, whose statements may run longer. */
  get #reads(): Queryable {
    return this.#tx ?? (this.actor.system ? this.#inner.db : this.#inner.db.reads)
  }

  #laneOf({ costly }: Plan): Queryable {
    return costly && !this.#tx && !this.actor.system ? this.#inner.db.costly : this.#reads
  }

  #env(): Env {
    return { registry: this.#inner.registry, actor: this.actor, me, alias: aliases() }
  }

  #definitionOf(entity: Entity): Definition {
    return this.#inner.registry.at(entity.path)
  }

  #gate(entity: Entity, action: RowAction): Definition {
    if (!mayDo(this.actor, action, entity)) throw forbidden()
    return this.#definitionOf(entity)
  }

  #telling() {
    return { db: this.#reads, registry: this.#inner.registry, records: this }
  }

  /** Plans differ by what the actor may see at all, not by who it is. */
  #planned(d: Definition, kind: string, shape: string, make: () => Plan): Plan {
    return this.#inner.plans(`${kind} ${d.entity.path} ${rightsKey(this.actor)} ${shape}`, make)
  }

  async view(entity: Entity, id: number, params: RawParams = {}): Promise<string> {
    const d = this.#gate(entity, 'view')
    const asked = d.told && toldOf(d, parseViewQuery(params))
    const p = this.#planned(d, 'view', JSON.stringify(params), () =>
      viewPlan(this.#env(), d, asked?.q ?? parseViewQuery(params)),
    )
    const found = await this.#reads.one<{ item: string; isOpen: boolean }>(bind(p, this.actor, id))
    if (!found) throw notFound()
    if (!found.isOpen) throw sealedRefusal(entity)
    if (!asked?.names.length) return found.item
    return (await tell(d, asked.names, `[${found.item}]`, this.#telling())).slice(1, -1)
  }

  async #isOpen(entity: Entity, id: number, deleted: boolean | 'any' = false): Promise<boolean> {
    const d = this.#gate(entity, 'view')
    const p = this.#planned(d, 'open', String(deleted), () => openPlan(this.#env(), d, deleted))
    const found = await this.#reads.one<{ isOpen: boolean }>(bind(p, this.actor, id))
    if (!found) throw notFound()
    return found.isOpen
  }

  async mustOpen(entity: Entity, id: number, deleted?: boolean | 'any'): Promise<void> {
    if (!(await this.#isOpen(entity, id, deleted))) throw sealedRefusal(entity)
  }

  async list(entity: Entity, params: RawParams): Promise<string> {
    const d = this.#gate(entity, 'view')
    const { q, names } = toldOf(d, parseListQuery(params))
    const cost = { steps: 0 }
    const { shape, inputs, make } = listQuery({ ...this.#env(), cost }, d, q)
    const p = this.#planned(d, 'list', shape, weighed(cost, make))
    const found = (await this.#laneOf(p).one<ListRow>(bind(p, this.actor, undefined, inputs))) as ListRow
    const total = q.count ? totalText(q, found.total ?? 0) : ''
    const next = found.more && found.last ? `,"next":${JSON.stringify(encodeCursor(found.last))}` : ''
    const page = q.after === undefined ? `"currentPage":${q.page},` : ''
    const items = names.length ? await tell(d, names, found.items, this.#telling()) : found.items
    return `{"items":${items},"_meta":{${page}"perPage":${q.limit},"hasMore":${found.more}${total}${next}}}`
  }

  async grouped(entity: Entity, params: RawParams): Promise<string> {
    const d = this.#gate(entity, 'view')
    const q = parseGroupedQuery(params)
    const cost = { steps: 0 }
    const { shape, inputs, make } = groupedQuery({ ...this.#env(), cost }, d, q)
    const p = this.#planned(d, 'grouped', shape, weighed(cost, make))
    return groupedText(await this.#laneOf(p).query<GroupRow>(bind(p, this.actor, undefined, inputs)), q)
  }

  /** Runs within the transaction there is, or in one of its own; wakes the readers of events after the commit. */
  async #write<T>(run: (context: WriteContext) => Promise<T>): Promise<T> {
    const within = (own: Tx, records: Records): WriteContext => ({
      ...{ actor: this.actor, tx: own, records },
      publicUrl: this.#inner.publicUrl ?? '',
    })
    if (this.#tx) return run(within(this.#tx, this))
    return this.#inner.db.tx(async (own) => {
      own.afterCommit(this.#inner.wake)
      return run(within(own, new ActorRecords(this.#inner, this.actor, own)))
    })
  }

  #checked(entity: Entity, body: unknown, action: 'create' | 'update'): Values {
    const result = checkBody(entity, body, action, this.actor.system ? undefined : this.actor)
    if (result.errors) throw new ValidationError(result.errors)
    keepValues(entity, result.value)
    return result.value
  }

  async createJson<E extends Entity>(entity: E, body: Create<E>): Promise<string> {
    const d = this.#gate(entity, 'create')
    const values = this.#checked(entity, body, 'create')
    const hooks = d.hooks as Hooks<E> | undefined
    hooks?.prepare?.(values as Update<E>, undefined)
    const position = positionOf(entity.fields)
    if (!position && !takesHooks(hooks, values as Create<E>)) {
      const made = await this.#insert(this.#db, d, values)
      if (!this.#tx) this.#inner.wake()
      return made.item
    }
    return this.#write(async (context) => {
      const own = takesHooks(hooks, values as Create<E>) ? hooks : undefined
      await own?.beforeCreate?.(context, values as Create<E>)
      // Who goes to the end of a group waits for the others who do, so that no two stand in one place.
      if (position && values[position[0]] === undefined)
        await lockGroup(context.tx, entity.path, groupIn(position[1], values))
      const made = await this.#insert(context.tx, d, values)
      if (!own?.afterCreate) return made.item
      await own.afterCreate(context, JSON.parse(made.item), values as Create<E>)
      // A hook may have changed what the computed fields say; what its actor may not see it is still told of once.
      return context.records.view(entity, made.id).catch(orWhenUnseen(made.item))
    })
  }

  async #insert(target: Queryable, d: Definition, values: Values): Promise<{ item: string; id: number }> {
    await checkReferences(this.#env(), d, values, target)
    const nobody = this.actor.id === 0 ? ' by nobody' : ''
    const p = this.#inner.plans(
      `insert ${d.entity.path} ${rightsKey(this.actor)}${nobody} ${insertShape(d, values)}`,
      () => insertPlan(this.#env(), d, values),
    )
    const made = await target.one<{ item: string; id: number }>(
      bind(p, this.actor, undefined, insertInputs(this.actor, d, values)),
    )
    if (!made) throw forbidden()
    return made
  }

  async #lock(
    target: Queryable,
    d: Definition,
    id: number,
    action: 'update' | 'delete',
    deleted = false,
  ): Promise<Values> {
    await target.query(query(lockSql(d, id), this.actor))
    const locked = await target.one<Locked>(query(lockedSql(this.#env(), d, id, action, deleted), this.actor))
    if (!locked) throw notFound()
    if (!locked.allowed) throw forbidden()
    if (!locked.isOpen) throw sealedRefusal(d.entity)
    return JSON.parse(locked.item)
  }

  async update<E extends Entity>(entity: E, id: number, body: Update<E>): Promise<Row<E>> {
    const d = this.#gate(entity, 'update')
    const values = this.#checked(entity, body, 'update')
    return this.#write(async (context) => {
      const before = await this.#lock(context.tx, d, id, 'update')
      await refuseStale(context.records, entity, before, (body as Values)._version)
      const made = await this.#change(context, d, before, values)
      return JSON.parse(await context.records.view(entity, id).catch(orWhenUnseen(made ?? JSON.stringify(before))))
    })
  }

  /** Writes what differs, with the hooks around it. The row is locked. @returns the row as it is stored now, as JSON */
  async #change(context: WriteContext, d: Definition, before: Values, values: Values): Promise<string | undefined> {
    const id = before.id as number
    const hooks = d.hooks as Hooks<Entity> | undefined
    hooks?.prepare?.(values as Update<Entity>, before as Row<Entity>)
    await hooks?.beforeUpdate?.(context, values as Update<Entity>, before as Row<Entity>)
    const changes = changesOf(d.entity, before, values)
    if (Object.keys(changes).length === 0) return undefined
    const changed = Object.fromEntries(Object.keys(changes).map((field) => [field, values[field]]))
    await checkReferences(this.#env(), d, changed, context.tx)
    const made = await context.tx.one<{ item: string }>(
      query(updateSql(this.#env(), d, id, changed, changes), this.actor),
    )
    await this.#stillAllowed(context.tx, d, id)
    if (made) await hooks?.afterUpdate?.(context, JSON.parse(made.item), before as Row<Entity>)
    return made?.item
  }

  async #stillAllowed(target: Tx, d: Definition, id: number): Promise<void> {
    const statement = stillAllowedSql(this.#env(), d, id)
    if (!statement) return
    const answer = await target.one<{ allowed: boolean }>(query(statement, this.actor))
    if (!answer?.allowed) throw forbidden()
  }

  async remove(entity: Entity, id: number): Promise<void> {
    const d = this.#gate(entity, 'delete')
    await this.#write(async (context) => {
      const hooks = d.hooks as Hooks<Entity> | undefined
      const before = await this.#lock(context.tx, d, id, 'delete')
      const refusal = this.actor.system
        ? undefined
        : keptBecause(entity, { ...before, ...(await this.#factsOfKept(context, d, id)) }, this.actor)
      if (refusal) throw new HttpError(409, refusal, { code: 'kept' })
      await hooks?.beforeDelete?.(context, before as Row<Entity>)
      await context.tx.query(
        query(entity.soft ? trashSql(this.#env(), d, id, true) : deleteSql(this.#env(), d, id, before), this.actor),
      )
      await hooks?.afterDelete?.(context, before as Row<Entity>)
    })
  }

  /** What `kept` reads of other records, as it is now that the row is locked. */
  async #factsOfKept({ records }: WriteContext, { entity }: Definition, id: number): Promise<Values> {
    const names = computedByKept(entity)
    return names.length === 0 ? {} : JSON.parse(await records.asSystem.view(entity, id, { fields: names.join() }))
  }

  async restore<E extends Entity>(entity: E, id: number): Promise<Row<E>> {
    const d = this.#gate(entity, 'delete')
    if (!entity.soft) throw notFound()
    return this.#write(async (context) => {
      const before = await this.#lock(context.tx, d, id, 'delete', true)
      const kept = sql`select 1 from ${name(entity.table)} where "id" = ${id} and "_deletedAt" > now() - make_interval(days => ${TRASH_DAYS})`
      if (!(await context.tx.one(kept))) throw notFound('Срок хранения в корзине истёк')
      await context.tx.query(query(trashSql(this.#env(), d, id, false), this.actor))
      await (d.hooks as Hooks<E> | undefined)?.afterRestore?.(context, {
        ...before,
        deleted: false,
      } as unknown as Row<E>)
      return JSON.parse(await context.records.view(entity, id))
    })
  }

  async move<E extends Entity>(entity: E, id: number, to: MovePlace): Promise<Row<E>> {
    const d = this.#gate(entity, 'update')
    const position = positionOf(entity.fields)
    if (!position) throw notFound()
    return this.#write(async (context) => {
      const before = await this.#lock(context.tx, d, id, 'update')
      await refuseStale(context.records, entity, before, to._version)
      const values = await place(this.#env(), d, position, before, to, context.tx)
      const made = await this.#change(context, d, before, values)
      return JSON.parse(await context.records.view(entity, id).catch(orWhenUnseen(made ?? JSON.stringify(before))))
    })
  }

  async batch<E extends Entity>(entity: E, body: Batch) {
    const size = (body.create?.length ?? 0) + (body.update?.length ?? 0) + (body.delete?.length ?? 0)
    if (size > MAX_BATCH) throw badRequest(`В одном запросе больше ${MAX_BATCH} записей`)
    return this.#write(async ({ records }) => {
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
  async #bulk(
    d: Definition,
    action: 'create' | 'update' | 'delete',
    options: BulkOptions,
    statement: (seen: Env, context: WriteContext) => Promise<Sql> | Sql,
  ): Promise<never[]> {
    mustPassHooks(d, action, options)
    const { system: _, ...person } = this.actor
    if (options.byRights && !mayDo(person, action, d.entity)) throw forbidden()
    const seen = options.byRights ? { ...this.#env(), actor: person } : this.#env()
    return this.#write(async (context) => {
      const made = await context.tx.query<{ item: never }>(query(await statement(seen, context), this.actor))
      const items = made.map(({ item }) => item)
      if (options.byRights && action === 'update') await this.#allStillAllowed(context.tx, seen, d, items)
      return items
    })
  }

  async #allStillAllowed(target: Tx, seen: Env, d: Definition, rows: readonly { id: number }[]): Promise<void> {
    const lost = outOfReachSql(
      seen,
      d,
      rows.map(({ id }) => id),
    )
    if (lost && (await target.one(query(lost, this.actor)))) throw forbidden()
  }

  /** Plain values of a bulk write are checked as a body; SQL is the caller's. */
  async #checkedSets(d: Definition, sets: Values, target: Queryable): Promise<Values> {
    const given = Object.entries(sets).filter(([, value]) => value !== undefined)
    const own = given.filter(([field, value]) => field === 'id' || value instanceof Sql)
    const plain = this.#checked(d.entity, Object.fromEntries(given.filter((one) => !own.includes(one))), 'update')
    await checkReferences(this.#env(), d, plain, target)
    return { ...plain, ...Object.fromEntries(own) }
  }

  async open(entity: Entity, id: number, basis: string): Promise<void> {
    // What stands open needs no reason, and none is kept.
    if (await this.#isOpen(entity, id)) return
    const line = { ...journalActor(this.actor), action: 'open' as const, entityType: entity.path, idEntity: id }
    await journal(this.#db, { ...line, basis, ...(entity.personal === 'id' && { idCustomer: id }) })
  }

  async search(asked: Asked, most: number): Promise<FoundRow[]> {
    const statement = searchSql(this.#env(), asked, most)
    return statement ? this.#reads.query(queryAnew(statement, this.actor)) : []
  }

  async thread(entity: Entity, asked: ThreadAsked) {
    const d = this.#definitionOf(entity)
    await this.mustOpen(entity, asked.id)
    const statement = principalsOnce(this.#env(), (one) => threadSql(one, d, asked))
    const rows = await this.#reads.query<ThreadRow>(query(statement, this.actor))
    return { rows, kinds: threadKinds(this.#env(), d) }
  }

  async create<E extends Entity>(entity: E, body: Create<E>): Promise<Row<E>> {
    return JSON.parse(await this.createJson(entity, body))
  }

  async updateWhere<E extends Entity>(
    entity: E,
    which: Which,
    set: Sets<E> | ((about: RowsSql) => Sets<E>),
    options: BulkOptions = {},
  ): Promise<never[]> {
    const d = this.#definitionOf(entity)
    return this.#bulk(d, 'update', options, async (seen, { tx }) => {
      const row = seen.alias()
      const sets = typeof set === 'function' ? set({ row, me, picked }) : set
      return updateWhereSql(seen, d, row, which, await this.#checkedSets(d, sets, tx), options)
    })
  }

  async deleteWhere(entity: Entity, which: Which, options: BulkOptions = {}): Promise<never[]> {
    const d = this.#definitionOf(entity)
    return this.#bulk(d, 'delete', options, (seen) => deleteWhereSql(seen, d, seen.alias(), which, options))
  }

  async createFrom<E extends Entity>(
    entity: E,
    from: Sql,
    values: Sets<E>,
    options: CreateOptions = {},
  ): Promise<never[]> {
    const d = this.#definitionOf(entity)
    return this.#bulk(d, 'create', options, async (seen, { tx }) =>
      createFromSql(seen, d, from, await this.#checkedSets(d, values, tx), options),
    )
  }

  async createMany(entity: Entity, bodies: readonly unknown[], options: CreateOptions = {}): Promise<never[]> {
    if (bodies.length === 0) return []
    const d = this.#definitionOf(entity)
    const all = await Promise.all(
      bodies.map((body, i) => within(`[${i}]`, async () => this.#checked(entity, body, 'create'))),
    )
    return this.#bulk(d, 'create', options, async (seen, { tx }) => {
      await checkReferences(this.#env(), d, all, tx)
      const { from, values } = givenSql(entity, all)
      return createFromSql(seen, d, from, values, options)
    })
  }

  async rows<E extends Entity>(entity: E, params: RawParams): Promise<Row<E>[]> {
    return JSON.parse(await this.list(entity, params)).items
  }

  async row<E extends Entity>(entity: E, id: number): Promise<Row<E>> {
    return JSON.parse(await this.view(entity, id))
  }

  tx<T>(run: (records: Records, tx: Tx) => Promise<T>): Promise<T> {
    return this.#write((context) => run(context.records, context.tx))
  }

  get asSystem(): SystemRecords {
    return this.actor.system ? this : new ActorRecords(this.#inner, { ...this.actor, system: true }, this.#tx)
  }

  as(other: ServerActor): Records {
    return new ActorRecords(this.#inner, other, this.#tx)
  }
}

const weighed = (cost: { steps: number }, make: () => Plan) => (): Plan => {
  const made = make()
  return { ...made, costly: cost.steps >= COSTLY_STEPS }
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
