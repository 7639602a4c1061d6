import { maxCount } from '@ordinator/model/count'
import type { Entity, Row } from '@ordinator/model/entity'
import { mistakesOf } from '@ordinator/model/spelling'
import { dayIn } from '@ordinator/model/zone'
import { empty } from 'sql-template-tag'
import type { Db, Queryable, Tx } from '#platform/db.ts'
import { forbidden, type HttpError, notFound } from '#platform/errors.ts'
import type { ServerActor } from './actor.ts'
import type { Definition, Registry } from './define.ts'
import { addByCode, splitByCode } from './expandByCode.ts'
import { COSTLY_STEPS } from './filter.ts'
import { type GroupRow, groupedQuery, groupedText, parseGroupedQuery } from './grouped.ts'
import { type ListQuery, parseListQuery, parseViewQuery, type RawParams, SOUGHT_KEYS } from './params.ts'
import { aliases, bind, me, type Plan, type planCache, query, queryAnew } from './plan.ts'
import { type ListRow, listQuery, openPlan, sealedPlan, soughtPlan, viewPlan } from './reads.ts'
import type { Asked, FoundRow, Records, SearchNarrow, ThreadAsked, ThreadRow } from './records.ts'
import { rightsKey } from './rightsKey.ts'
import { type Env, mayDo, principalsOnce, type RowAction } from './scope.ts'
import { sealedRefusal, sealedThrough } from './sealed.ts'
import { searchSql } from './search.ts'
import { encodeCursor } from './sort.ts'
import { askedOf } from './sought.ts'
import { rareKindsSql, threadKinds, threadSql } from './thread.ts'

/** Rows from which a list is a big one. */
const MANY_ROWS = 100

export interface EngineDeps {
  db: Db
  registry: Registry
  /** Called after the commit of a write, to wake the consumers of history. */
  wake(): void
  /** Public address of the product; absent: unknown. */
  publicUrl?: string
}

export interface Inner extends EngineDeps {
  plans: ReturnType<typeof planCache>
}

/**
 * The engine's reads for one actor, created per request. A class, since an object literal of closures with a getter was a
 * dictionary-mode object in V8 and kept everything it referenced alive until a full garbage collection (docs/bench.md).
 */
export abstract class ActorReads {
  readonly actor: ServerActor
  protected readonly inner: Inner
  /** The transaction for all reads; absent: each statement by itself. */
  protected readonly transaction: Tx | undefined

  constructor(inner: Inner, actor: ServerActor, transaction?: Tx) {
    this.actor = actor
    this.inner = inner
    this.transaction = transaction
  }

  /** The complete engine of this actor. */
  protected abstract get records(): Records

  protected get db(): Queryable {
    return this.transaction ?? this.inner.db
  }

  /** System code reads through the writing pool, whose statements may run longer. */
  protected get reads(): Queryable {
    return this.transaction ?? (this.actor.system ? this.inner.db : this.inner.db.reads)
  }

  /** For what reads much: lists of many rows, counts, search. */
  protected get broad(): Queryable {
    return this.transaction ?? (this.actor.system ? this.inner.db : this.inner.db.broad)
  }

  protected laneOf({ costly }: Plan, { limit, count }: Pick<ListQuery, 'limit' | 'count'>): Queryable {
    if (costly && !this.transaction && !this.actor.system) return this.inner.db.costly
    return limit >= MANY_ROWS || count ? this.broad : this.reads
  }

  protected env(): Env {
    return { registry: this.inner.registry, actor: this.actor, me, alias: aliases() }
  }

  protected definitionOf(entity: Entity): Definition {
    return this.inner.registry.at(entity.path)
  }

  protected gate(entity: Entity, action: RowAction): Definition {
    if (!mayDo(this.actor, action, entity)) throw forbidden()
    return this.definitionOf(entity)
  }

  protected codeContext() {
    return { db: this.reads, registry: this.inner.registry, records: this.records }
  }

  /** Plans depend on the actor's rights, not on the actor. */
  protected planned(d: Definition, kind: string, shape: string, make: () => Plan): Plan {
    return this.inner.plans(`${kind} ${d.entity.path} ${rightsKey(this.actor)} ${shape}`, make)
  }

  async view(entity: Entity, id: number, params: RawParams = {}): Promise<string> {
    const d = this.gate(entity, 'view')
    const asked = d.expandByCode && splitByCode(d, parseViewQuery(params))
    const p = this.planned(d, 'view', JSON.stringify(params), () =>
      viewPlan(this.env(), d, asked?.q ?? parseViewQuery(params)),
    )
    const found = await this.reads.one<{ item: string; isOpen: boolean }>(bind(p, this.actor, id))
    if (!found) throw await this.missing(d, id, asked?.q.deleted ?? parseViewQuery(params).deleted)
    if (!found.isOpen) throw sealedRefusal(entity)
    if (!asked?.names.length) return found.item
    return (await addByCode(d, asked.names, `[${found.item}]`, this.codeContext())).slice(1, -1)
  }

  protected async isOpen(entity: Entity, id: number, deleted: boolean | 'any' = false): Promise<boolean> {
    const d = this.gate(entity, 'view')
    const p = this.planned(d, 'open', String(deleted), () => openPlan(this.env(), d, deleted))
    const found = await this.reads.one<{ isOpen: boolean }>(bind(p, this.actor, id))
    if (!found) throw await this.missing(d, id, deleted)
    return found.isOpen
  }

  /** Why a record is not visible: it does not exist for the actor, or it refers to a sealed one. */
  protected async missing(d: Definition, id: number, deleted: boolean | 'any' = false): Promise<HttpError> {
    const sealed = this.actor.system ? undefined : sealedThrough(this.inner.registry, d)
    if (!sealed) return notFound()
    const p = this.planned(d, 'missing', String(deleted), () =>
      sealedPlan({ ...this.env(), sealedToo: true }, d, deleted),
    )
    const found = await this.reads.one<{ sealed: number | null }>(bind(p, this.actor, id))
    return found ? sealedRefusal(sealed.entity, found.sealed ?? undefined) : notFound()
  }

  async mustOpen(entity: Entity, id: number, deleted?: boolean | 'any'): Promise<void> {
    if (!(await this.isOpen(entity, id, deleted))) throw sealedRefusal(entity)
  }

  async list(entity: Entity, params: RawParams): Promise<string> {
    const d = this.gate(entity, 'view')
    const { q, names } = splitByCode(d, parseListQuery(params, SOUGHT_KEYS))
    const found = q.q === undefined ? await this.#listed(d, q) : await this.#sought(d, q, q.q)
    const total = q.count ? totalText(q, found.total ?? 0) : ''
    const next = found.more && found.last ? `,"next":${JSON.stringify(encodeCursor(found.last))}` : ''
    const page = q.after === undefined ? `"currentPage":${q.page},` : ''
    const items = names.length ? await addByCode(d, names, found.items, this.codeContext()) : found.items
    return `{"items":${items},"_meta":{${page}"perPage":${q.limit},"hasMore":${found.more}${total}${next}}}`
  }

  async #listed(d: Definition, q: ListQuery): Promise<ListRow> {
    const cost = { steps: 0 }
    const { shape, inputs, make } = listQuery({ ...this.env(), cost }, d, q)
    const p = this.planned(d, 'list', shape, weighed(cost, make))
    return (await this.laneOf(p, q).one<ListRow>(bind(p, this.actor, undefined, inputs))) as ListRow
  }

  /** Records that the words match; when there are none, those that they match with a mistake in a word. */
  async #sought(d: Definition, q: ListQuery, typed: string): Promise<ListRow> {
    const asked = askedOf(typed, dayIn(this.actor.timeZone, Date.now()))
    const list = async (sought: Asked) => {
      const p = soughtPlan(this.env(), d, q, sought)
      return (await this.broad.one<ListRow>(bind(p, this.actor))) as ListRow
    }
    const found = await list(asked)
    return found.items === '[]' && q.page === 1 ? list({ ...asked, forgiving: true }) : found
  }

  async grouped(entity: Entity, params: RawParams): Promise<string> {
    const d = this.gate(entity, 'view')
    const q = parseGroupedQuery(params)
    const cost = { steps: 0 }
    const { shape, inputs, make } = groupedQuery({ ...this.env(), cost }, d, q)
    const p = this.planned(d, 'grouped', shape, weighed(cost, make))
    return groupedText(await this.laneOf(p, q).query<GroupRow>(bind(p, this.actor, undefined, inputs)), q)
  }

  async search(asked: Asked, most: number, narrow?: SearchNarrow): Promise<FoundRow[]> {
    const find = async (sought: Asked): Promise<FoundRow[]> => {
      const statement = searchSql(this.env(), sought, most, narrow)
      return statement ? this.broad.query(queryAnew(statement, this.actor)) : []
    }
    const found = await find(asked)
    const mayBeMistaken = found.length === 0 && asked.words.some((word) => mistakesOf(word).length > 0)
    return mayBeMistaken ? find({ ...asked, forgiving: true }) : found
  }

  async thread(entity: Entity, asked: ThreadAsked) {
    const d = this.definitionOf(entity)
    await this.mustOpen(entity, asked.id)
    const statement = principalsOnce(this.env(), (one) => threadSql(one, d, asked))
    const rows = await this.broad.query<ThreadRow>(query(statement, this.actor))
    const asksRare = principalsOnce(this.env(), (one) => rareKindsSql(one, d, asked.id) ?? empty)
    const present = asksRare === empty ? [] : await this.broad.query<{ kind: string }>(query(asksRare, this.actor))
    return {
      rows,
      kinds: threadKinds(
        this.env(),
        d,
        present.map(({ kind }) => kind),
      ),
    }
  }

  async rows<E extends Entity>(entity: E, params: RawParams): Promise<Row<E>[]> {
    return JSON.parse(await this.list(entity, params)).items
  }

  async row<E extends Entity>(entity: E, id: number): Promise<Row<E>> {
    return JSON.parse(await this.view(entity, id))
  }
}

const weighed = (cost: { steps: number }, make: () => Plan) => (): Plan => {
  const made = make()
  return { ...made, costly: cost.steps >= COSTLY_STEPS }
}

/** Total count; above the counting limit pages are not numbered either. */
function totalText({ count, limit }: ListQuery, total: number): string {
  if (count !== 'exact' && total > maxCount) return `,"totalCount":${maxCount},"totalIsMore":true`
  return `,"totalCount":${total},"pageCount":${limit ? Math.ceil(total / limit) : 0}`
}
