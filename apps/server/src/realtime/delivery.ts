/**
 * Selects the receivers of each event. Visibility is one query to the engine per entity, for all users at once. Filters
 * are one query per shape of filter, evaluated separately and in turn: slow filters delay only their own users, who are
 * sent a reset when evaluation takes too long.
 */
import { can } from '@ordinator/model/access'
import { entityAt } from '@ordinator/model/entities'
import { type Entity, isVisible } from '@ordinator/model/entity'
import { isTimeout } from '#platform/db.ts'
import type { Logger } from '#platform/log.ts'
import type { ServerActor } from '#records/actor.ts'
import type { FilterParams, PastEvent, Viewer, Visibility, VisibleIds } from '#records/sight.ts'
import { type Audience, listensTo, type PathSubscribers } from './audience.ts'
import type { Connection } from './connection.ts'
import type { HistoryRow } from './feed.ts'
import { systemMessage } from './messages.ts'
import { SHARED_MS, SlowFilters } from './slowFilters.ts'
import { personTurn, type Turns } from './turns.ts'

/** With more events of one path at once, subscribers to the whole path get a reset instead. */
const MAX_EVENTS_OF_PATH = 100

/** One message to one client, with its position in the order. */
export interface Parcel {
  at: number
  /** The path that the client must re-read. */
  resets?: string
  message(cursor: string): Buffer
}
export type Parcels = Map<Connection, Parcel[]>
/** By person: resolves, and never rejects, when all their messages are among the parcels. */
export type Owed = Map<number, Promise<unknown>>

const SLOW_WORDS = 'Условия подписки проверяются слишком долго: вместо событий придёт просьба перечитать записи'

type Concerned = Map<Event, Set<Connection>>
type Wanted = (connection: Connection, row: HistoryRow) => boolean

export interface Delivery {
  /** @param wanted excludes what a client has not missed */
  parcelsOf(rows: HistoryRow[], to: Audience<Connection>, wanted?: Wanted): Promise<{ parcels: Parcels; owed: Owed }>
}

/** A filter with the events to evaluate and its subscribers. */
interface Ask {
  filter: FilterParams
  concerned: Concerned
}

export function createDelivery(visibility: Visibility, turns: Turns, log: Pick<Logger, 'error'>): Delivery {
  const slow = new SlowFilters()

  async function offer(
    parcels: Parcels,
    owed: Owed,
    entity: Entity,
    ofPath: PathSubscribers<Connection>,
    events: Event[],
    wanted: Wanted,
  ): Promise<void> {
    const plain: Concerned = new Map()
    for (const event of events) {
      for (const connection of ofPath.byId.get(event.row.id) ?? [])
        if (wanted(connection, event.row)) concern(plain, event, connection)
    }
    const many = events.length > MAX_EVENTS_OF_PATH
    for (const connection of ofPath.all) {
      const its = events.filter((event) => wanted(connection, event.row))
      if (many && its.length > 0) put(parcels, connection, resetParcel(entity.path, events[0]?.at))
      else for (const event of its) concern(plain, event, connection)
    }
    const asks: Ask[] = []
    for (const { filter, fields, parent, subscribers } of ofPath.byFilter.values()) {
      const filtered: Concerned = new Map()
      for (const event of events) {
        // A change of a filtered field may have removed the record from the result, which must be sent as well; and a deleted
        // record can no longer be evaluated.
        const left = event.row.action === 'update' && event.row.fields.some((name) => fields.has(name))
        // The event itself contains the parent.
        const placed = parent !== undefined && !left && event.row.idParent !== null
        if (placed && event.row.idParent !== parent) continue
        for (const [connection, ids] of subscribers) {
          if (listensTo(ids, event.row.id) && wanted(connection, event.row))
            concern(left || placed || event.gone(entity) ? plain : filtered, event, connection)
        }
      }
      if (filtered.size > 0) asks.push({ filter, concerned: filtered })
    }
    for (const [shape, alike] of Map.groupBy(asks, ({ filter }) => visibility.shapeOf(filter)))
      askShape(parcels, owed, entity, shape, alike)
    await offerPlain(parcels, entity, plain)
  }

  /** Filters of one shape are evaluated for all people at once, unless that is slow: then for each person alone. */
  function askShape(parcels: Parcels, owed: Owed, entity: Entity, shape: string, asks: Ask[]): void {
    const key = `${entity.path} ${shape}`
    const people = new Set(asks.flatMap(({ concerned }) => viewersOf(concerned).map(({ id }) => id)))
    const shared =
      people.size > 1 && !slow.has(key)
        ? answer(parcels, entity, `shape:${key}`, key, asks, SHARED_MS)
        : Promise.resolve(false)
    for (const idUser of people) {
      const own = async () => {
        if (await shared) return
        const theirs = asks.map((ask) => ({ ...ask, concerned: ofPerson(ask.concerned, idUser) }))
        const asked = theirs.filter(({ concerned }) => concerned.size > 0)
        const ownKey = `${idUser} ${key}`
        if (slow.has(ownKey) || !(await answer(parcels, entity, personTurn(idUser), ownKey, asked)))
          for (const { concerned } of asked) tooSlow(parcels, entity.path, concerned)
      }
      owed.set(idUser, Promise.all([owed.get(idUser), own()]))
    }
  }

  /** True when the filters have been evaluated. Slow ones (timeout, or longer than `most`) are remembered by their key. */
  async function answer(
    parcels: Parcels,
    entity: Entity,
    who: string,
    key: string,
    asks: Ask[],
    most = Number.POSITIVE_INFINITY,
  ): Promise<boolean> {
    const place = await turns.take(who)
    if (!place) return false
    const began = performance.now()
    const ids = [...new Set(asks.flatMap(({ concerned }) => idsOf(concerned)))]
    // Many events take long whatever the filter.
    const remember = () => ids.length <= MAX_EVENTS_OF_PATH && slow.add(key)
    try {
      const asked = asks.map(({ filter, concerned }) => ({ filter, viewers: viewersOf(concerned) }))
      const visible = await visibility.checkFilters(entity.path, ids, asked)
      for (const [n, { concerned }] of asks.entries()) share(parcels, entity, concerned, visible[n] as VisibleIds)
      if (performance.now() - began > most) remember()
      return true
    } catch (error) {
      if (isTimeout(error)) remember()
      else log.error({ err: error, path: entity.path }, 'realtime: filters')
      return false
    } finally {
      place.leave()
    }
  }

  async function offerPlain(parcels: Parcels, entity: Entity, concerned: Concerned): Promise<void> {
    const living: Concerned = new Map()
    const gone: Concerned = new Map()
    for (const [event, connections] of concerned) (event.gone(entity) ? gone : living).set(event, connections)
    if (gone.size > 0) {
      share(parcels, entity, gone, await visibility.deletedVisibility(entity.path, pastOf(gone), viewersOf(gone)))
    }
    if (living.size === 0) return
    const rest = share(
      parcels,
      entity,
      living,
      await visibility.checkVisibility(entity.path, idsOf(living), viewersOf(living)),
    )
    const lost: Concerned = new Map([...rest].filter(([{ row }]) => row.action === 'update'))
    if (lost.size === 0 || !visibility.visibleBefore) return
    share(parcels, entity, lost, await visibility.visibleBefore(entity.path, pastOf(lost), viewersOf(lost)), 'gone')
  }

  return {
    async parcelsOf(rows, to, wanted = () => true) {
      const parcels: Parcels = new Map()
      const owed: Owed = new Map()
      const numbered = rows.map((row, at) => new Event(row, at, visibility.visibleFields?.(row.path)))
      for (const [path, events] of Map.groupBy(numbered, (event) => event.row.path)) {
        const ofPath = to.at(path)
        const entity = entityAt(path)
        if (!ofPath || !entity) continue
        try {
          await offer(parcels, owed, entity, ofPath, events, wanted)
        } catch (error) {
          // A failure of one entity must not stop the others, or this one for ever: its subscribers re-read.
          log.error({ err: error, path }, 'realtime: visibility')
          addResets(parcels, path, ofPath, events[0]?.at)
        }
      }
      return { parcels, owed }
    },
  }
}

/** Message for a person whose filters were not evaluated in time. */
function tooSlow(parcels: Parcels, path: string, concerned: Concerned): void {
  for (const [{ at }, connections] of concerned)
    for (const connection of connections) put(parcels, connection, resetParcel(path, at, SLOW_WORDS))
}

/** Sends a reset to all subscribers of the path. */
export function addResets(parcels: Parcels, path: string, ofPath: PathSubscribers<Connection>, at = 0): void {
  const reached = new Set(ofPath.all)
  for (const connections of ofPath.byId.values()) for (const connection of connections) reached.add(connection)
  for (const { subscribers } of ofPath.byFilter.values())
    for (const connection of subscribers.keys()) reached.add(connection)
  for (const connection of reached) put(parcels, connection, resetParcel(path, at))
}

/** Gives each connection the events its user may see; returns the rest. */
function share(
  parcels: Parcels,
  entity: Entity,
  concerned: Concerned,
  visible: VisibleIds,
  say: Say = 'event',
): Concerned {
  const rest: Concerned = new Map()
  for (const [event, connections] of concerned) {
    for (const connection of connections) {
      if (visible.get(connection.actor.id)?.has(event.row.id)) give(parcels, entity, event, connection, say)
      else concern(rest, event, connection)
    }
  }
  return rest
}

function give(parcels: Parcels, entity: Entity, event: Event, connection: Connection, say: Say): void {
  // Rights may have changed since the subscription. A client with several matching subscriptions gets the event once.
  if (!can(connection.actor, 'view', entity) || parcels.get(connection)?.some((parcel) => parcel.at === event.at))
    return
  const fields = say === 'gone' ? [] : event.visibleFields(entity, connection.actor)
  put(parcels, connection, { at: event.at, message: (cursor) => event.message(say, fields, cursor) })
}

/** `gone`: the client may no longer see the record, and gets a delete event. */
type Say = 'event' | 'gone'

/** A history row to be sent; its text is made once for all clients with the same content. */
class Event {
  readonly row: HistoryRow
  readonly at: number
  readonly #texts = new Map<string, Buffer>()

  readonly #visibleFields: ReadonlySet<string> | undefined

  /** @param visibleFields fields whose changes may be sent; absent: all */
  constructor(row: HistoryRow, at: number, visibleFields?: ReadonlySet<string>) {
    this.row = row
    this.at = at
    this.#visibleFields = visibleFields
  }

  /** True when the record is no longer in the table. */
  gone(entity: Entity): boolean {
    return this.row.action === 'delete' && !entity.soft
  }

  /** The changed fields that the actor may see. */
  visibleFields(entity: Entity, actor: ServerActor): string[] {
    return this.row.fields.filter((name) => {
      const field = Object.hasOwn(entity.all, name) ? entity.all[name] : undefined
      return field !== undefined && isVisible(field, actor) && (!this.#visibleFields || this.#visibleFields.has(name))
    })
  }

  message(say: Say, fields: string[], cursor: string): Buffer {
    const key = `${say} ${cursor} ${fields.join()}`
    let text = this.#texts.get(key)
    if (!text) {
      const { path, action, id, seq, idUser, version } = this.row
      const verb = say === 'gone' ? 'delete' : action === 'restore' ? 'create' : action
      const meta = { seq, cursor, idUser, version }
      text = Buffer.from(JSON.stringify({ controller: path, action: verb, data: { id, fields }, meta, isError: false }))
      this.#texts.set(key, text)
    }
    return text
  }
}

function concern(concerned: Concerned, event: Event, connection: Connection): void {
  const connections = concerned.get(event)
  if (connections) connections.add(connection)
  else concerned.set(event, new Set([connection]))
}

function put(parcels: Parcels, connection: Connection, parcel: Parcel): void {
  const list = parcels.get(connection)
  if (parcel.resets && list?.some(({ resets }) => resets === parcel.resets)) return
  if (list) list.push(parcel)
  else parcels.set(connection, [parcel])
}

function resetParcel(path: string, at = 0, message?: string): Parcel {
  const text = Buffer.from(systemMessage('reset', { paths: [path], ...(message ? { message } : {}) }))
  return { at, resets: path, message: () => text }
}

const ofPerson = (concerned: Concerned, idUser: number): Concerned =>
  new Map(
    [...concerned].flatMap(([event, connections]): [Event, Set<Connection>][] => {
      const own = new Set([...connections].filter(({ actor }) => actor.id === idUser))
      return own.size > 0 ? [[event, own]] : []
    }),
  )

function viewersOf(concerned: Concerned): Viewer[] {
  const viewers = new Map<number, Viewer>()
  for (const connections of concerned.values())
    for (const { actor } of connections) viewers.set(actor.id, { id: actor.id, actor })
  return [...viewers.values()]
}

const idsOf = (concerned: Concerned): number[] => [...new Set(Array.from(concerned.keys(), (event) => event.row.id))]

const pastOf = (concerned: Concerned): PastEvent[] =>
  Array.from(concerned.keys(), ({ row: { seq, id, idParent } }) => ({ seq, id, idParent }))
