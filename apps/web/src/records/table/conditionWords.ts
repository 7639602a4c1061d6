import { entityAt } from '@ordinator/model/entities'
import type { AnyField } from '@ordinator/model/entity'
import { hasLabels, labelsOf } from '@ordinator/model/fields/choice'
import { isRef } from '@ordinator/model/fields/ref'
import { formatDate } from '../../kit/clock.ts'
import { type FieldCondition, isDay, operatorLabel } from '../conditions.ts'
import { wordsOf } from '../fields/registry.ts'
import type { AnyRow } from '../fields/ui.ts'
import { titleOf } from '../title.ts'

/** «Важность от 5», «Срок: не заполнено», «Создатель: Иванов, Петров». */
export function conditionWords(f: AnyField, condition: FieldCondition, named: readonly AnyRow[] = []): string {
  const { op } = condition
  const { label } = f.options
  if (op === 'null') return `${label}: ${condition.value === '1' ? 'не заполнено' : 'заполнено'}`
  const value = valueWords(f, condition, named)
  if (op === 'in' || (op === 'eq' && !isDay(f))) return `${label}: ${value}`
  return `${label} ${operatorLabel(f, op)} ${op === 'ilike' ? `«${value}»` : value}`
}

function valueWords(f: AnyField, { value }: FieldCondition, named: readonly AnyRow[]): string {
  if (f.kind === 'boolean') return value === '1' || value === 'true' ? 'Да' : 'Нет'
  if (hasLabels(f))
    return value
      .split(',')
      .map((v) => labelsOf(f)[v] ?? v)
      .join(', ')
  if (isRef(f))
    return value
      .split(',')
      .map((v) => nameOf(f.to, Number(v), named))
      .join(', ')
  if (f.kind === 'dateTime' || f.kind === 'date') return formatDate(value)
  if (f.kind === 'integer' || f.kind === 'decimal' || f.kind === 'money') return wordsOf(f, Number(value))
  return value
}

function nameOf(to: string, id: number, named: readonly AnyRow[]): string {
  const row = named.find((r) => r.id === id)
  return row ? titleOf(entityAt(to), row) : `№ ${id}`
}
