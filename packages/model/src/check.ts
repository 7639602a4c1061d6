import type { Actor } from './access.ts'
import { type AnyField, type Entity, isVisible } from './entity.ts'
import { isWritable } from './fields/field.ts'
import { messages } from './messages.ts'

/** Cached, since every write uses them. */
const listed = new WeakMap<Entity, readonly (readonly [name: string, f: AnyField])[]>()
function fieldsOf(entity: Entity) {
  const known = listed.get(entity)
  if (known) return known
  const fields = Object.entries(entity.fields)
  listed.set(entity, fields)
  return fields
}

export interface FieldError {
  field: string
  message: string
}

/**
 * Validates the body of a create or an update against the entity, on both sides alike.
 * @param actor excludes fields hidden from it; absent: system code, which sees all and may also set automatic fields
 * (a creator, a creation time)
 * @returns the values to store, or all errors, each with its field
 */
export function checkBody(
  entity: Entity,
  body: unknown,
  action: 'create' | 'update',
  actor?: Actor,
): { value: Record<string, unknown>; errors?: undefined } | { value?: undefined; errors: FieldError[] } {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return { errors: [{ field: '', message: messages.json }] }
  const given = body as Record<string, unknown>
  const mayWrite = (f: AnyField) => (actor ? isWritable(f) : !f.options.computed)
  const value: Record<string, unknown> = {}
  const errors: FieldError[] = []
  for (const name of Object.keys(given)) {
    if (name === '_version') continue
    const f = Object.hasOwn(entity.all, name) ? entity.all[name] : undefined
    if (!f || (actor && !isVisible(f, actor))) errors.push({ field: name.slice(0, 64), message: messages.unknown })
    else if (!mayWrite(f) || name === 'id' || (actor && f.options.fixed && action === 'update'))
      errors.push({ field: name, message: messages.readonly })
  }
  for (const [name, f] of fieldsOf(entity)) {
    const raw = given[name]
    if (raw === undefined || !Object.hasOwn(given, name) || !mayWrite(f)) {
      const missing = action === 'create' && f.options.required && isWritable(f) && f.options.default === undefined
      if (missing) errors.push({ field: name, message: messages.required })
      continue
    }
    if (errors.length > 0 && errors.some((e) => e.field === name)) continue
    if (raw === null || (raw === '' && f.nullable && !f.keepsEmpty)) {
      if (f.nullable) value[name] = null
      else errors.push({ field: name, message: messages.required })
      continue
    }
    const checked = f.check(raw)
    if (checked.ok) value[name] = checked.value
    else errors.push({ field: name, message: checked.message })
  }
  return errors.length ? { errors } : { value }
}
