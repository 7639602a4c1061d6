import { setImmediate } from 'node:timers/promises'
import { checkBody } from '@ordinator/model/check'
import { type Create, computedByKept, type Entity, keptBecause, type Row, type Update } from '@ordinator/model/entity'
import { positionOf } from '@ordinator/model/fields/position'
import sql, { raw, Sql } from 'sql-template-tag'
import type { Queryable, Tx } from '#platform/db.ts'
import { badRequest, forbidden, HttpError, notFound, ValidationError } from '#platform/errors.ts'
import type { ServerActor } from './actor.ts'
import { ActorReads, type EngineDeps } from './actorReads.ts'
import { branchFate, FOREIGN, isLimited } from './branches.ts'
import {
  createFromSql,
  deleteWhereSql,
  givenSql,
  mustPassHooks,
  outOfReachSql,
  picked,
  updateWhereSql,
} from './bulk.ts'
import type { Engine } from './context.ts'
import type { Definition, Hooks, WriteContext } from './define.ts'
import { orWhenInvisible, refuseStale, within } from './engineErrors.ts'
import { keepValues } from './fields/registry.ts'
import { mayGo } from './inUse.ts'
import { journal, journalActor } from './journal.ts'
import { groupIn, lockGroup, place } from './move.ts'
import { bind, me, name, planCache, query } from './plan.ts'
import type {
  Batch,
  BulkOptions,
  CreateOptions,
  MovePlace,
  Records,
  RemoveOptions,
  RowsSql,
  Sets,
  SystemRecords,
  Which,
} from './records.ts'
import { rightsKey } from './rightsKey.ts'
import { type Env, mayDo } from './scope.ts'
import { openSql, sealedReferences, sealedRefusal } from './sealed.ts'
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

/** Days a deleted record stays in the trash. */
export const TRASH_DAYS = 30
const MAX_BATCH = 500
/** Bodies of a bulk create that are checked before other requests have their turn. */
const BREATH = 200

/** The engine for an actor. */
export function createEngine(deps: EngineDeps): Engine {
  const inner = { ...deps, plans: planCache() }
  return { for: (actor) => new ActorRecords(inner, actor), on: (db) => createEngine({ ...deps, db }) }
}

/** The engine for one actor: its reads and writes. */
class ActorRecords extends ActorReads implements SystemRecords {
  protected get records(): Records {
    return this
  }

  /** Runs in the current transaction, or in a new one; wakes the consumers of events after the commit. */
  async #write<T>(run: (context: WriteContext) => Promise<T>): Promise<T> {
    const within = (own: Tx, records: Records): WriteContext => ({
      ...{ actor: this.actor, tx: own, records },
      publicUrl: this.inner.publicUrl ?? '',
    })
    if (this.transaction) return run(within(this.transaction, this))
    return this.inner.db.tx(async (own) => {
      own.afterCommit(this.inner.wake)
      return run(within(own, new ActorRecords(this.inner, this.actor, own)))
    })
  }

  #checked(entity: Entity, body: unknown, action: 'create' | 'update'): Values {
    const result = checkBody(entity, body, action, this.actor.system ? undefined : this.actor)
    if (result.errors) throw new ValidationError(result.errors)
    keepValues(entity, result.value)
    return result.value
  }

  async createJson<E extends Entity>(entity: E, body: Create<E>): Promise<string> {
    const d = this.gate(entity, 'create')
    const values = this.#checked(entity, body, 'create')
    const hooks = d.hooks as Hooks<E> | undefined
    hooks?.prepare?.(values as Update<E>, undefined)
    const position = positionOf(entity.fields)
    if (!position && !takesHooks(hooks, values as Create<E>)) {
      const made = await this.#insert(this.db, d, values)
      if (!this.transaction) this.inner.wake()
      return made.item
    }
    return this.#write(async (context) => {
      const own = takesHooks(hooks, values as Create<E>) ? hooks : undefined
      await own?.beforeCreate?.(context, values as Create<E>)
      // Appends to a group are serialised, so that no two records get the same position.
      if (position && values[position[0]] === undefined)
        await lockGroup(context.tx, entity.path, groupIn(position[1], values))
      const made = await this.#insert(context.tx, d, values)
      if (!own?.afterCreate) return made.item
      await own.afterCreate(context, JSON.parse(made.item), values as Create<E>)
      // A hook may have changed computed fields; a record now invisible to its creator is still returned once.
      return context.records.view(entity, made.id).catch(orWhenInvisible(made.item))
    })
  }

  async #insert(target: Queryable, d: Definition, values: Values): Promise<{ item: string; id: number }> {
    await checkReferences(this.env(), d, values, target)
    const nobody = this.actor.id === 0 ? ' by nobody' : ''
    const p = this.inner.plans(
      `insert ${d.entity.path} ${rightsKey(this.actor)}${nobody} ${insertShape(d, values)}`,
      () => insertPlan(this.env(), d, values),
    )
    const made = await target.one<{ item: string; id: number }>(
      bind(p, this.actor, undefined, insertInputs(this.actor, d, values)),
    )
    if (!made) throw (await this.#isSealed(target, d, values)) ?? forbidden(this.#whyNot(d))
    return made
  }

  #whyNot(d: Definition): string | undefined {
    const hasBranch = branchFate(this.inner.registry, d).by.length > 0
    return isLimited(this.actor) && hasBranch ? FOREIGN : undefined
  }

  /** The refusal of a row that refers to a sealed record; undefined: it refers to none. */
  async #isSealed(target: Queryable, d: Definition, values: Values): Promise<HttpError | undefined> {
    for (const { by, target: of } of sealedReferences(this.inner.registry, d)) {
      const id = values[by]
      if (typeof id !== 'number' || this.actor.system) continue
      const card = raw('card')
      const isOpen = sql`select 1 from ${name(of.entity.table)} card where card."id" = ${id} and ${openSql(this.env(), of, card)}`
      if (!(await target.one(query(isOpen, this.actor)))) return sealedRefusal(of.entity, id)
    }
    return undefined
  }

  async #lock(
    target: Queryable,
    d: Definition,
    id: number,
    action: 'update' | 'delete',
    deleted = false,
  ): Promise<Values> {
    await target.query(query(lockSql(d, id), this.actor))
    const locked = await target.one<Locked>(query(lockedSql(this.env(), d, id, action, deleted), this.actor))
    if (!locked) throw await this.missing(d, id, deleted)
    if (!locked.allowed) throw forbidden()
    if (!locked.isOpen) throw sealedRefusal(d.entity)
    return JSON.parse(locked.item)
  }

  async update<E extends Entity>(entity: E, id: number, body: Update<E>): Promise<Row<E>> {
    const d = this.gate(entity, 'update')
    const values = this.#checked(entity, body, 'update')
    return this.#write(async (context) => {
      const before = await this.#lock(context.tx, d, id, 'update')
      await refuseStale(context.records, entity, before, (body as Values)._version)
      const made = await this.#change(context, d, before, values)
      return JSON.parse(await context.records.view(entity, id).catch(orWhenInvisible(made ?? JSON.stringify(before))))
    })
  }

  /** Writes changed fields, with hooks. The row is locked. @returns the stored row as JSON */
  async #change(context: WriteContext, d: Definition, before: Values, values: Values): Promise<string | undefined> {
    const id = before.id as number
    const hooks = d.hooks as Hooks<Entity> | undefined
    hooks?.prepare?.(values as Update<Entity>, before as Row<Entity>)
    await hooks?.beforeUpdate?.(context, values as Update<Entity>, before as Row<Entity>)
    const changes = changesOf(d.entity, before, values)
    if (Object.keys(changes).length === 0) return undefined
    const changed = Object.fromEntries(Object.keys(changes).map((field) => [field, values[field]]))
    await checkReferences(this.env(), d, changed, context.tx)
    const made = await context.tx.one<{ item: string }>(
      query(updateSql(this.env(), d, id, changed, changes), this.actor),
    )
    await this.#stillAllowed(context.tx, d, id)
    if (made) await hooks?.afterUpdate?.(context, JSON.parse(made.item), before as Row<Entity>)
    return made?.item
  }

  async #stillAllowed(target: Tx, d: Definition, id: number): Promise<void> {
    const statement = stillAllowedSql(this.env(), d, id)
    if (!statement) return
    const answer = await target.one<{ allowed: boolean }>(query(statement, this.actor))
    if (!answer?.allowed) throw forbidden()
  }

  async remove(entity: Entity, id: number, { sure = true }: RemoveOptions = {}): Promise<void> {
    const d = this.gate(entity, 'delete')
    await this.#write(async (context) => {
      const hooks = d.hooks as Hooks<Entity> | undefined
      const before = await this.#lock(context.tx, d, id, 'delete')
      const refusal = this.actor.system
        ? undefined
        : keptBecause(entity, { ...before, ...(await this.#factsOfKept(context, d, id)) }, this.actor)
      if (refusal) throw new HttpError(409, refusal, { code: 'kept' })
      if (!this.actor.system) await mayGo(context.tx, this.env().registry, entity, id, sure)
      await hooks?.beforeDelete?.(context, before as Row<Entity>)
      await context.tx.query(
        query(entity.soft ? trashSql(this.env(), d, id, true) : deleteSql(this.env(), d, id, before), this.actor),
      )
      await hooks?.afterDelete?.(context, before as Row<Entity>)
    })
  }

  /** The values of other records that `kept` uses, read after the row is locked. */
  async #factsOfKept({ records }: WriteContext, { entity }: Definition, id: number): Promise<Values> {
    const names = computedByKept(entity)
    return names.length === 0 ? {} : JSON.parse(await records.asSystem.view(entity, id, { fields: names.join() }))
  }

  async restore<E extends Entity>(entity: E, id: number): Promise<Row<E>> {
    const d = this.gate(entity, 'delete')
    if (!entity.soft) throw notFound()
    return this.#write(async (context) => {
      const before = await this.#lock(context.tx, d, id, 'delete', true)
      const kept = sql`select 1 from ${name(entity.table)} where "id" = ${id} and "_deletedAt" > now() - make_interval(days => ${TRASH_DAYS})`
      if (!(await context.tx.one(kept))) throw notFound('Срок хранения в корзине истёк')
      await context.tx.query(query(trashSql(this.env(), d, id, false), this.actor))
      await (d.hooks as Hooks<E> | undefined)?.afterRestore?.(context, {
        ...before,
        deleted: false,
      } as unknown as Row<E>)
      return JSON.parse(await context.records.view(entity, id))
    })
  }

  async move<E extends Entity>(entity: E, id: number, to: MovePlace): Promise<Row<E>> {
    const d = this.gate(entity, 'update')
    const position = positionOf(entity.fields)
    if (!position) throw notFound()
    return this.#write(async (context) => {
      const before = await this.#lock(context.tx, d, id, 'update')
      await refuseStale(context.records, entity, before, to._version)
      const values = await place(this.env(), d, position, before, to, context.tx)
      const made = await this.#change(context, d, before, values)
      return JSON.parse(await context.records.view(entity, id).catch(orWhenInvisible(made ?? JSON.stringify(before))))
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
        await records.remove(entity, id, { sure: body.sure ?? true })
        made.delete.push(id)
      }
      return made
    })
  }

  /**
   * Runs a bulk statement and returns its rows. With `byRights` it is built with the rights of the person for whom system
   * code works.
   */
  async #bulk(
    d: Definition,
    action: 'create' | 'update' | 'delete',
    options: BulkOptions,
    statement: (asEnv: Env, context: WriteContext) => Promise<Sql> | Sql,
  ): Promise<never[]> {
    mustPassHooks(d, action, options)
    const { system: _, ...person } = this.actor
    if (options.byRights && !mayDo(person, action, d.entity)) throw forbidden()
    const asEnv = options.byRights ? { ...this.env(), actor: person } : this.env()
    return this.#write(async (context) => {
      const made = await context.tx.query<{ item: never }>(query(await statement(asEnv, context), this.actor))
      const items = made.map(({ item }) => item)
      if (options.byRights && action === 'update') await this.#allStillAllowed(context.tx, asEnv, d, items)
      return items
    })
  }

  async #allStillAllowed(target: Tx, asEnv: Env, d: Definition, rows: readonly { id: number }[]): Promise<void> {
    const lost = outOfReachSql(
      asEnv,
      d,
      rows.map(({ id }) => id),
    )
    if (lost && (await target.one(query(lost, this.actor)))) throw forbidden()
  }

  /** Checks plain values of a bulk write like a body; SQL values are the caller's responsibility. */
  async #checkedSets(d: Definition, sets: Values, target: Queryable): Promise<Values> {
    const given = Object.entries(sets).filter(([, value]) => value !== undefined)
    const own = given.filter(([field, value]) => field === 'id' || value instanceof Sql)
    const plain = this.#checked(d.entity, Object.fromEntries(given.filter((one) => !own.includes(one))), 'update')
    await checkReferences(this.env(), d, plain, target)
    return { ...plain, ...Object.fromEntries(own) }
  }

  async open(entity: Entity, id: number, basis: string): Promise<void> {
    // An open record needs no reason, and none is stored.
    if (await this.isOpen(entity, id)) return
    const line = { ...journalActor(this.actor), action: 'open' as const, entityType: entity.path, idEntity: id }
    await journal(this.db, { ...line, basis, ...(entity.personal === 'id' && { idCustomer: id }) })
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
    const d = this.definitionOf(entity)
    return this.#bulk(d, 'update', options, async (asEnv, { tx }) => {
      const row = asEnv.alias()
      const sets = typeof set === 'function' ? set({ row, me, picked }) : set
      return updateWhereSql(asEnv, d, row, which, await this.#checkedSets(d, sets, tx), options)
    })
  }

  async deleteWhere(entity: Entity, which: Which, options: BulkOptions = {}): Promise<never[]> {
    const d = this.definitionOf(entity)
    return this.#bulk(d, 'delete', options, (asEnv) => deleteWhereSql(asEnv, d, asEnv.alias(), which, options))
  }

  async createFrom<E extends Entity>(
    entity: E,
    from: Sql,
    values: Sets<E>,
    options: CreateOptions = {},
  ): Promise<never[]> {
    const d = this.definitionOf(entity)
    return this.#bulk(d, 'create', options, async (asEnv, { tx }) =>
      createFromSql(asEnv, d, from, await this.#checkedSets(d, values, tx), options),
    )
  }

  async createMany(entity: Entity, bodies: readonly unknown[], options: CreateOptions = {}): Promise<never[]> {
    if (bodies.length === 0) return []
    const d = this.definitionOf(entity)
    const all: Values[] = []
    for (const [i, body] of bodies.entries()) {
      if (i > 0 && i % BREATH === 0) await setImmediate()
      all.push(await within(`[${i}]`, async () => this.#checked(entity, body, 'create')))
    }
    return this.#bulk(d, 'create', options, async (asEnv, { tx }) => {
      await checkReferences(this.env(), d, all, tx)
      const { from, values } = givenSql(entity, all)
      return createFromSql(asEnv, d, from, values, options)
    })
  }

  tx<T>(run: (records: Records, tx: Tx) => Promise<T>): Promise<T> {
    return this.#write((context) => run(context.records, context.tx))
  }

  get asSystem(): SystemRecords {
    return this.actor.system ? this : new ActorRecords(this.inner, { ...this.actor, system: true }, this.transaction)
  }

  as(other: ServerActor): Records {
    return new ActorRecords(this.inner, other, this.transaction)
  }
}

/** A create without hooks is a single statement and needs no transaction. */
const takesHooks = <E extends Entity>(hooks: Hooks<E> | undefined, value: Create<E>): boolean =>
  (hooks?.beforeCreate !== undefined || hooks?.afterCreate !== undefined) && (hooks.createTakesHooks?.(value) ?? true)
