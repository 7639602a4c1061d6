import type { Actor } from '@ordinator/model/access'
import { checkBody, type FieldError } from '@ordinator/model/check'
import { type AnyField, type Entity, isVisible } from '@ordinator/model/entity'
import { isWritable } from '@ordinator/model/fields/field'
import { isPosition } from '@ordinator/model/fields/position'
import { changesOf } from '../conflict.ts'

/** Values of a form and the body it sends. Pure. */
export type Values = Record<string, unknown>

/** Fields the actor may edit in this form. */
export function editableFields(entity: Entity, actor: Actor, creating: boolean): [string, AnyField][] {
  return Object.entries(entity.fields).filter(
    ([, f]) =>
      isWritable(f) && isVisible(f, actor) && !isPosition(f) && (creating || !(f.options.fixed || f.options.virtual)),
  )
}

/** Initial values of a form: the record's, or the declared defaults overridden by the screen's. */
export function openedValues(entity: Entity, actor: Actor, record: Values | undefined, initial: Values = {}): Values {
  const fields = editableFields(entity, actor, record === undefined)
  return Object.fromEntries(
    fields.map(([name, f]) => [name, (record ? record[name] : (initial[name] ?? f.options.default)) ?? null]),
  )
}

/** The body to send: on create all filled fields, on update those that differ from the record. */
export function bodyOf(entity: Entity, values: Values, base: Values | undefined): Values {
  const body = changesOf(base ?? {}, values)
  for (const [name, value] of Object.entries(body)) if (value === '' && entity.fields[name]?.nullable) body[name] = null
  return body
}

/** Validates the body like the server. */
export function checkedBody(
  entity: Entity,
  values: Values,
  base: Values | undefined,
  fixed: Values,
  actor: Actor,
): { value: Values; errors?: undefined } | { value?: undefined; errors: FieldError[] } {
  return checkBody(
    entity,
    { ...bodyOf(entity, values, base), ...(base ? {} : fixed) },
    base ? 'update' : 'create',
    actor,
  )
}

/** One message per field in the form; messages of other fields go to the head, with their labels. */
export function sortErrors(
  entity: Entity,
  errors: readonly FieldError[],
  shown: ReadonlySet<string>,
): { byField: Record<string, string>; head: string[] } {
  const byField: Record<string, string> = {}
  const head: string[] = []
  for (const { field, message } of errors) {
    if (shown.has(field)) byField[field] ??= message
    else {
      const label = Object.hasOwn(entity.all, field) ? entity.all[field]?.options.label : undefined
      head.push(label ? `${label}: ${message}` : message)
    }
  }
  return { byField, head: [...new Set(head)] }
}
