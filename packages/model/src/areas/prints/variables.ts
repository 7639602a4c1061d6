/** Variables of a template: fields of a record and its relations, by the labels of the declarations. Pure. */
import { type Actor, can } from '../../access.ts'
import { type AnyField, type Entity, isVisible } from '../../entity.ts'
import { isReadable } from '../../fields/field.ts'
import { isRef } from '../../fields/ref.ts'
import type { Condition } from './condition.ts'
import { COUNT, TOTAL } from './evaluate.ts'
import { heldListsOf } from './held.ts'
import { type Path, wordKey } from './path.ts'
import type { Piece } from './template.ts'

export interface Variable {
  /** As displayed and typed. */
  words: string
  /** Field name; for a relation, its name in the engine's `expand`. */
  key: string
  kind: 'value' | 'one' | 'many'
  field?: AnyField
  /** Path of the related entity. */
  to?: string
}

export type EntityAt = (path: string) => Entity | undefined

/** System fields of a record, not available in templates. */
const excluded: ReadonlySet<string> = new Set(['_version', 'deleted'])

const plain = (label: string): string =>
  label
    .replace(/[.|{}"«»“”=<>≠≤≥!]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

const kept = new WeakMap<Entity, readonly Variable[]>()

/** Variables of an entity, in the order of its declaration. */
export function variablesOf(entity: Entity, at: EntityAt): readonly Variable[] {
  const known = kept.get(entity)
  if (known) return known
  const list: Variable[] = []
  const taken = new Set<string>()
  const add = (label: string, rest: Omit<Variable, 'words'>) => {
    let words = plain(label)
    for (let n = 2; taken.has(wordKey(words)); n++) words = `${plain(label)} ${n}`
    taken.add(wordKey(words))
    list.push({ words, ...rest })
  }
  for (const [key, f] of Object.entries(entity.all)) {
    if (excluded.has(key) || !isReadable(f) || f.options.lazy === 'always' || f.options.hidden?.length === 0) continue
    if (isRef(f)) add(f.options.label, { key: f.as, kind: 'one', field: f, to: f.to })
    // Structured values are not printed.
    else if (!f.unsortable || f.long) add(f.options.label, { key, kind: 'value', field: f })
  }
  for (const [key, { to }] of Object.entries(entity.many)) {
    const other = at(to)
    if (other) add(other.label[0], { key, kind: 'many', to })
  }
  for (const [key, { of }] of Object.entries(heldListsOf(entity))) add(of.label[0], { key, kind: 'many', to: of.path })
  kept.set(entity, list)
  return list
}

/** True when the actor may see the variable; the engine limits the related records. */
export function mayRead({ field, to }: Variable, actor: Actor, at: EntityAt): boolean {
  if (field && !isVisible(field, actor)) return false
  const other = to === undefined ? undefined : at(to)
  return to === undefined || (other !== undefined && can(actor, 'view', other))
}

/** Data needed from a record: fields by name, and needs of related records. */
export interface Needs {
  fields: Set<string>
  relations: Map<string, Needs>
}
const none = (): Needs => ({ fields: new Set(), relations: new Map() })

/** Variables besides the record: the user who prints, the clinic, the day. */
export type Surroundings = Readonly<Record<string, { words: string; to?: string }>>

export interface Bound {
  needs: Needs
  /** Needs of the surroundings, by key. */
  around: Map<string, Needs>
  /** Errors of each text, in Russian. */
  problems: string[][]
}

interface Scope {
  entity: Entity | undefined
  needs: Needs
  /** A loop with its counters. */
  counts?: true
}

/** Limits: placeholders of a template; fields, relations and depth that are read for it. */
const MAX_NAMES = 2_000
const MAX_FIELDS = 90
const MAX_RELATIONS = 28
const MAX_DEPTH = 4
const MAX_PROBLEMS = 20

/**
 * Binds the words of a template's texts to the entity's variables, and collects the data to read. Sets `found` of each
 * path; an unresolved path prints nothing.
 */
export function bind(
  texts: readonly (readonly Piece[])[],
  entity: Entity,
  surroundings: Surroundings,
  at: EntityAt,
): Bound {
  const bound: Bound = { needs: none(), around: new Map(), problems: texts.map(() => []) }
  let problems: string[] = []
  const scopes: Scope[] = [{ entity, needs: bound.needs }]
  let names = 0
  const blame = (message: string) => {
    if (problems.length < MAX_PROBLEMS && !problems.includes(message)) problems.push(message)
  }

  /** Resolves words in a scope; undefined: not found there. */
  function within({ entity: here, needs, counts }: Scope, words: readonly string[]) {
    const [first = '', ...rest] = words
    if (counts && rest.length === 0 && (first === '№' || first === 'всего'))
      return { keys: [first === '№' ? COUNT : TOTAL], end: undefined }
    if (!here) return undefined
    const own = wordKey(here.label[0]) === first && rest.length > 0 ? rest : undefined
    return follow(here, needs, words) ?? (own && follow(here, needs, own))
  }

  function follow(from: Entity, needs: Needs, words: readonly string[]) {
    const keys: string[] = []
    const trail: { variable: Variable; entity: Entity }[] = []
    let here: Entity | undefined = from
    for (const word of words) {
      const variable: Variable | undefined = here && variablesByWord(here, at).get(word)
      if (!here || !variable) return undefined
      keys.push(variable.key)
      trail.push({ variable, entity: here })
      here = variable.to === undefined ? undefined : at(variable.to)
    }
    let now = needs
    for (const { variable } of trail) {
      if (variable.kind === 'value') now.fields.add(variable.key)
      else {
        const next: Needs = now.relations.get(variable.key) ?? none()
        const title = at(variable.to as string)?.title
        if (title) next.fields.add(title)
        now.relations.set(variable.key, next)
        now = next
      }
    }
    return {
      keys,
      end: here && { entity: here, needs: now, isList: trail.some(({ variable }) => variable.kind === 'many') },
    }
  }

  function around(words: readonly string[]) {
    const [first = '', ...rest] = words
    const [key, one] = Object.entries(surroundings).find(([, { words: own }]) => wordKey(own) === first) ?? []
    if (key === undefined || !one) return undefined
    const other = one.to === undefined ? undefined : at(one.to)
    if (!other) return rest.length === 0 ? { keys: [key], end: undefined } : undefined
    const needs = bound.around.get(key) ?? none()
    const found = rest.length ? follow(other, needs, rest) : { keys: [], end: { entity: other, needs, isList: false } }
    if (!found) return undefined
    if (other.title) needs.fields.add(other.title)
    bound.around.set(key, needs)
    return { keys: [key, ...found.keys], end: found.end }
  }

  function find(path: Path) {
    if (++names > MAX_NAMES) return void blame(`В шаблоне больше ${MAX_NAMES} переменных`)
    for (let up = 0; up < scopes.length; up++) {
      const found = within(scopes[scopes.length - 1 - up] as Scope, path.words)
      if (found) {
        path.found = { up, keys: found.keys }
        return found
      }
    }
    const found = around(path.words)
    if (!found) return void blame(`Неизвестная переменная «${path.text.slice(0, 80)}»`)
    path.found = { up: scopes.length - 1, keys: found.keys }
    return found
  }

  const conditions = (condition: Condition | undefined) => {
    for (const { left, by } of condition?.flat() ?? [])
      for (const one of [left, ...(by ? [by.right] : [])]) if ('path' in one) find(one.path)
  }

  function each(list: readonly Piece[]): void {
    for (const piece of list) {
      if (piece.type === 'value') find(piece.path)
      else if (piece.type === 'element') each(piece.inner)
      else if (piece.type === 'if')
        for (const { when, inner } of piece.branches) {
          conditions(when)
          each(inner)
        }
      else if (piece.type === 'each') {
        const found = find(piece.path)
        if (found && !found.end?.isList) blame(`«${piece.path.text}» — не список: повторять нечего`)
        scopes.push({ entity: found?.end?.entity, needs: found?.end?.needs ?? none(), counts: true })
        each(piece.inner)
        scopes.pop()
      }
    }
  }

  for (const [n, pieces] of texts.entries()) {
    problems = bound.problems[n] as string[]
    each(pieces)
  }
  for (const read of [bound.needs, ...bound.around.values()]) {
    const [fields, relations, depth] = sizeOf(read)
    if (fields > MAX_FIELDS) blame(`Шаблон читает больше ${MAX_FIELDS} полей`)
    if (relations > MAX_RELATIONS) blame(`Шаблон читает больше ${MAX_RELATIONS} связанных записей`)
    if (depth > MAX_DEPTH) blame(`Переменные ведут дальше ${MAX_DEPTH} шагов от записи`)
  }
  return bound
}

function sizeOf({ fields, relations }: Needs): [fields: number, relations: number, depth: number] {
  const inner = [...relations.values()].map(sizeOf)
  const sum = (at: 0 | 1) => inner.reduce((all, one) => all + one[at], 0)
  return [fields.size + sum(0), relations.size + sum(1), Math.max(0, ...inner.map(([, , depth]) => depth + 1))]
}

const keptByWord = new WeakMap<Entity, ReadonlyMap<string, Variable>>()

/** Variables by word; lists also by the singular of «для каждой услуги»; all by field name. */
function variablesByWord(entity: Entity, at: EntityAt): ReadonlyMap<string, Variable> {
  const known = keptByWord.get(entity)
  if (known) return known
  const list = variablesOf(entity, at)
  const byWord = new Map<string, Variable>()
  const add = (words: string, variable: Variable) => {
    const key = wordKey(words)
    if (!byWord.has(key)) byWord.set(key, variable)
  }
  for (const one of list) add(one.words, one)
  for (const one of list) if (one.kind === 'many') for (const form of at(one.to as string)?.label ?? []) add(form, one)
  for (const one of list) add(one.key, one)
  keptByWord.set(entity, byWord)
  return byWord
}

/** Needs reduced to what the actor may see. */
export function neededBy(needs: Needs, entity: Entity, actor: Actor, at: EntityAt): Needs {
  const left = none()
  const list = variablesOf(entity, at)
  for (const key of needs.fields) {
    const field = entity.all[key]
    if (field && isVisible(field, actor)) left.fields.add(key)
  }
  for (const [key, inner] of needs.relations) {
    const variable = list.find((one) => one.key === key && one.kind !== 'value')
    const other = variable?.to === undefined ? undefined : at(variable.to)
    if (variable && other && mayRead(variable, actor, at)) left.relations.set(key, neededBy(inner, other, actor, at))
  }
  return left
}
