import type { Actor } from '@ordinator/model/access'
import { checkBody, type FieldError } from '@ordinator/model/check'
import { type AnyField, type Entity, isVisible } from '@ordinator/model/entity'
import { isWritable } from '@ordinator/model/fields/field'
import { isPosition } from '@ordinator/model/fields/position'
import { changesOf } from '../conflict.ts'

/** What a form holds and what it sends. Pure. */
export type Values = Record<string, unknown>

/** The fields that the actor may write by hand in this form. */
export function editableFields(entity: Entity, actor: Actor, creating: boolean): [string, AnyField][] {
  return Object.entries(entity.fields).filter(
    ([, f]) =>
      isWritable(f) && isVisible(f, actor) && !isPosition(f) && (creating || !(f.options.fixed || f.options.virtual)),
  )
}

/** The values that a form opens with: the record's, or the declared defaults under the screen's own. */
export function openedValues(entity: Entity, actor: Actor, record: Values | undefined, initial: Values = {}): Values {
  const fields = editableFields(entity, actor, record === undefined)
  return Object.fromEntries(
    fields.map(([name, f]) => [name, (record ? record[name] : (initial[name] ?? f.options.default)) ?? null]),
  )
}

/** The part of the form's values to send: on create all that is filled, on update what differs from the record. */
export function bodyOf(entity: Entity, values: Values, base: Values | undefined): Values {
  const body = changesOf(base ?? {}, values)
  for (const [name, value] of Object.entries(body)) if (value === '' && entity.fields[name]?.nullable) body[name] = null
  return body
}

/** Checks the part to send as the server will. */
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

/** One message for each field that stands in the form; what has no place there goes to the head, named by its label. */
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
