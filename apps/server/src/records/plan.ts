import sql, { raw, type Sql } from 'sql-template-tag'
import type { NamedQuery } from '../platform/db.ts'
import type { ServerActor } from './actor.ts'

/** Stands in a plan's values where the asking user's id goes. */
const ME = Symbol('me')
/** Stands where the record's id goes. */
const ID = Symbol('id')

/** How many texts get a name (a prepared statement on each connection); rarer shapes run unnamed. */
const MAX_NAMED = 2_000
const MAX_PLANS = 5_000

/** Stands where a value of the body goes. */
class Input {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

export const input = (name: string): Sql => sql`${new Input(name)}`

export const me: Sql = sql`${ME}::bigint`
export const wantedId: Sql = sql`${ID}::bigint`

/** A statement built once for a shape of request, and run for any user and id. */
export interface Plan {
  text: string
  name: string | undefined
  values: readonly unknown[]
}

const names = new Map<string, string>()

/** Freezes a statement into a plan. */
export function plan(statement: Sql): Plan {
  const { text, values } = statement
  return { text, values, name: nameOf(text) }
}

/** The plan's statement for this user, id and inputs by name. */
export function bind(p: Plan, actor: ServerActor, id?: number, inputs: Record<string, unknown> = {}): NamedQuery {
  const values = p.values.map((v) => (v === ME ? actor.id : v === ID ? id : v instanceof Input ? inputs[v.name] : v))
  return p.name === undefined ? { text: p.text, values } : { text: p.text, values, name: p.name }
}

/** A statement without a plan of its own, still named by its text. */
export const query = (statement: Sql, actor: ServerActor): NamedQuery => bind(plan(statement), actor)

function nameOf(text: string): string | undefined {
  let name = names.get(text)
  if (name === undefined && names.size < MAX_NAMED) {
    name = `r${names.size}`
    names.set(text, name)
  }
  return name
}

/** Remembers the plans of the latest request shapes. */
export function planCache() {
  const plans = new Map<string, Plan>()
  return (key: string, make: () => Plan): Plan => {
    let found = plans.get(key)
    if (!found) {
      found = make()
      if (plans.size >= MAX_PLANS) plans.delete(plans.keys().next().value as string)
      plans.set(key, found)
    }
    return found
  }
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
