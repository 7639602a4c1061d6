import type { AnyField } from '@ordinator/model/entity'
import { type FieldCondition, operatorLabel } from '../conditions.ts'
import { uiOf } from '../fields/registry.ts'
import type { AnyRow } from '../fields/ui.ts'

/** «Важность от 5», «Срок: не заполнено», «Создатель: Иванов, Петров». */
export function conditionWords(f: AnyField, condition: FieldCondition, named: readonly AnyRow[] = []): string {
  const { op } = condition
  const { label } = f.options
  if (op === 'null') return `${label}: ${condition.value === '1' ? 'не заполнено' : 'заполнено'}`
  const value = uiOf(f).ask?.text?.(condition.value, f, named) ?? condition.value
  if (op === 'in' || (op === 'eq' && !f.days)) return `${label}: ${value}`
  return `${label} ${operatorLabel(f, op)} ${op === 'ilike' ? `«${value}»` : value}`
}
