import sql, { raw, type Sql } from 'sql-template-tag'
import type { NamedQuery } from '../platform/db.ts'
import { badRequest } from '../platform/errors.ts'
import type { ServerActor } from './actor.ts'

/** Stands in a plan's values where the asking user's id goes. */
const ME = Symbol('me')
/** Stands where the record's id goes. */
const ID = Symbol('id')

/** Texts whose uses are counted, the latest; a text gets a name (a prepared statement on each connection) with its second. */
const MAX_TEXTS = 2_000
const MAX_PLANS = 2_000
/** A longer text is not worth what its plan takes of each connection's memory. */
const MAX_NAMED_LENGTH = 40_000

/** Characters of what may be read with one statement; its plan takes some 160 bytes of memory for each (measured). */
const MAX_READ_LENGTH = 300_000

/** Stands where a value of the request goes. */
class Input {
  readonly name: string
  readonly read: ((given: unknown) => unknown) | undefined
  /** How many rows it lets through differs much by its value: such a statement is planned anew each time. */
  readonly skewed: boolean
  constructor(name: string, read?: (given: unknown) => unknown, skewed = false) {
    this.name = name
    this.read = read
    this.skewed = skewed
  }
}

/** @param read makes the parameter of what is given */
export const input = (name: string, read?: (given: unknown) => unknown, skewed?: boolean): Sql =>
  sql`${new Input(name, read, skewed)}`

export const me: Sql = sql`${ME}::bigint`
export const wantedId: Sql = sql`${ID}::bigint`

/** A statement built once for a shape of request, and run for any user, id and values. */
export interface Plan {
  text: string
  values: readonly unknown[]
  /** It may be prepared under a name. */
  named: boolean
  /** It gives way to the reads of others. */
  costly?: boolean
  /** The name, once it has one. */
  name?: string | undefined
}

/** Freezes a statement into a plan. */
export function plan(statement: Sql): Plan {
  const { text, values } = statement
  const skewed = values.some((value) => value instanceof Input && value.skewed)
  return { text, values, named: !skewed && text.length <= MAX_NAMED_LENGTH }
}

/**
 * The same of what somebody has asked to be shown, all its filters, fields and relations together.
 * @throws HttpError 400 when it is too much
 */
export function readPlan(statement: Sql): Plan {
  const made = plan(statement)
  if (made.text.length <= MAX_READ_LENGTH) return made
  throw badRequest('Запрос слишком сложный: уберите часть условий, полей или связей')
}

/** The plan's statement for this user, id and inputs by name. */
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

/** A statement without a plan of its own, still named by its text. */
export const query = (statement: Sql, actor: ServerActor): NamedQuery => bind(plan(statement), actor)

/**
 * A statement whose values decide how it is best read: it has no name, so that it is planned with them each time.
 * PostgreSQL would try a plan for any values at the sixth use of a name, and might go through whole tables by it.
 */
export const queryAnew = (statement: Sql, actor: ServerActor): NamedQuery =>
  bind({ ...plan(statement), named: false }, actor)

const names = new Map<string, string | undefined>()
let named = 0

/** A name of the text, from its second use on; one that was long out of use gets another. */
function nameOf(text: string): string | undefined {
  const known = names.has(text)
  const name = names.get(text) ?? (known ? `r${named++}` : undefined)
  keep(names, text, name, MAX_TEXTS)
  return name
}

/** Remembers the plans of the latest request shapes. */
export function planCache() {
  const plans = new Map<string, Plan>()
  return (key: string, make: () => Plan): Plan => {
    const found = plans.get(key) ?? make()
    keep(plans, key, found, MAX_PLANS)
    return found
  }
}

/** Puts the latest last, and lets the one go that was used longest ago. */
function keep<V>(map: Map<string, V>, key: string, value: V, most: number): void {
  if (!map.delete(key) && map.size >= most) map.delete(map.keys().next().value as string)
  map.set(key, value)
}

/** A quoted name. Only names out of declarations come here; they are checked at start-up. */
export const name = (identifier: string): Sql => raw(`"${identifier}"`)

/** Gives out table aliases, unique within one statement. */
export function aliases(): () => Sql {
  let n = 0
  return () => raw(`t${n++}`)
}

export const and = (conditions: readonly (Sql | undefined)[]): Sql | undefined => {
  const given = conditions.filter((c) => c !== undefined)
  return given.length === 0 ? undefined : given.reduce((a, b) => sql`${a} and ${b}`)
}

export const where = (condition: Sql | undefined): Sql => (condition ? sql`where ${condition}` : raw(''))
