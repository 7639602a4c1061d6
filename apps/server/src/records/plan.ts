import sql, { raw, type Sql } from 'sql-template-tag'
import type { NamedQuery } from '#platform/db.ts'
import { badRequest } from '#platform/errors.ts'
import type { ServerActor } from './actor.ts'

/** Placeholder for the requesting user's id. */
const ME = Symbol('me')
/** Placeholder for the record's id. */
const ID = Symbol('id')

/** Recent texts whose uses are counted; from its second use a text is a named prepared statement on each connection. */
const MAX_TEXTS = 2_000
const MAX_PLANS = 2_000
/** A longer text is not prepared: its plan would take too much memory per connection. */
const MAX_NAMED_LENGTH = 40_000

/** Maximum characters of a read statement; its plan takes about 160 bytes of memory per character (measured). */
const MAX_READ_LENGTH = 300_000

/** Placeholder for a value of the request. */
class Input {
  readonly name: string
  readonly read: ((given: unknown) => unknown) | undefined
  /** The number of matching rows depends strongly on the value: such a statement is planned anew each time. */
  readonly skewed: boolean
  constructor(name: string, read?: (given: unknown) => unknown, skewed = false) {
    this.name = name
    this.read = read
    this.skewed = skewed
  }
}

/** @param read converts the given value to the parameter */
export const input = (name: string, read?: (given: unknown) => unknown, skewed?: boolean): Sql =>
  sql`${new Input(name, read, skewed)}`

export const me: Sql = sql`${ME}::bigint`
export const wantedId: Sql = sql`${ID}::bigint`

/** A statement built once per shape of request, and run for any user, id and values. */
export interface Plan {
  text: string
  values: readonly unknown[]
  /** May be a named prepared statement. */
  named: boolean
  /** Runs in the low-priority pool. */
  costly?: boolean
  /** Name of the prepared statement, once it has one. */
  name?: string | undefined
}

/** Turns a statement into a reusable plan. */
export function plan(statement: Sql): Plan {
  const { text, values } = statement
  const skewed = values.some((value) => value instanceof Input && value.skewed)
  return { text, values, named: !skewed && text.length <= MAX_NAMED_LENGTH }
}

/**
 * The same for a read requested by a user, with all its filters, fields and relations.
 * @throws HttpError 400 when the statement is too large
 */
export function readPlan(statement: Sql): Plan {
  const made = plan(statement)
  if (made.text.length <= MAX_READ_LENGTH) return made
  throw badRequest('Запрос слишком сложный: уберите часть условий, полей или связей')
}

/** The statement with the values of this user, id and inputs. */
export function bind(p: Plan, actor: ServerActor, id?: number, inputs: Record<string, unknown> = {}): NamedQuery {
  const values = p.values.map((v) => {
    if (v === ME) return actor.id
    if (v === ID) return id
    if (!(v instanceof Input)) return v
    return v.read ? v.read(inputs[v.name]) : inputs[v.name]
  })
  if (p.named) p.name ??= nameOf(p.text)
  const { name } = p
  return name === undefined ? { text: p.text, values } : { text: p.text, values, name }
}

/** A statement without a cached plan, still named by its text. */
export const query = (statement: Sql, actor: ServerActor): NamedQuery => bind(plan(statement), actor)

/**
 * A statement whose best plan depends on its values: it has no name, so that it is planned with them each time. For a
 * named one PostgreSQL may switch to a generic plan at the sixth use, and scan whole tables with it.
 */
export const queryAnew = (statement: Sql, actor: ServerActor): NamedQuery =>
  bind({ ...plan(statement), named: false }, actor)

const names = new Map<string, string | undefined>()
let named = 0

/** Name of the text, from its second use on; a text that was evicted gets a new name. */
function nameOf(text: string): string | undefined {
  const known = names.has(text)
  const name = names.get(text) ?? (known ? `r${named++}` : undefined)
  keep(names, text, name, MAX_TEXTS)
  return name
}

/**
 * Cache of plans by request shape, in two generations: when the younger one is full it becomes the older one, whose plans
 * come back with their next use and are dropped without it. A plan that is used all the time is found without a write.
 */
export function planCache() {
  let young = new Map<string, Plan>()
  let old = new Map<string, Plan>()
  return (key: string, make: () => Plan): Plan => {
    const known = young.get(key)
    if (known) return known
    const found = old.get(key) ?? make()
    if (young.size >= MAX_PLANS / 2) {
      old = young
      young = new Map()
    }
    young.set(key, found)
    return found
  }
}

/** Moves the key to the end, and evicts the least recently used one. */
function keep<V>(map: Map<string, V>, key: string, value: V, most: number): void {
  if (!map.delete(key) && map.size >= most) map.delete(map.keys().next().value as string)
  map.set(key, value)
}

/** A quoted identifier. Only names from declarations, which are checked at start-up. */
export const name = (identifier: string): Sql => raw(`"${identifier}"`)

/** Generates table aliases, unique within one statement. */
export function aliases(): () => Sql {
  let n = 0
  return () => raw(`t${n++}`)
}

export const and = (conditions: readonly (Sql | undefined)[]): Sql | undefined => {
  const given = conditions.filter((c) => c !== undefined)
  return given.length === 0 ? undefined : given.reduce((a, b) => sql`${a} and ${b}`)
}

export const where = (condition: Sql | undefined): Sql => (condition ? sql`where ${condition}` : raw(''))
