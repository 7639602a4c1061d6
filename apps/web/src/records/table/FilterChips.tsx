import { CloseButton } from '@mantine/core'
import type { AnyField, Entity } from '@ordinator/model/entity'
import { isRef } from '@ordinator/model/fields/ref'
import { isRefs } from '@ordinator/model/fields/refs'
import { ActionButton } from '#kit/ActionButton.tsx'
import type { FieldCondition } from '../conditions.ts'
import { useNamed } from '../fields/RefSelect.tsx'
import { conditionWords } from './conditionWords.ts'
import classes from './FilterChips.module.css'

interface Props {
  entity: Entity
  conditions: FieldCondition[]
  search: string
  onChange: (conditions: FieldCondition[]) => void
  onSearchClear: () => void
  onReset: () => void
}

/** Active conditions of the list, each with a button to remove it. Renders nothing when there are none. */
export function FilterChips({ entity, conditions, search, onChange, onSearchClear, onReset }: Props) {
  if (!conditions.length && !search) return null
  return (
    <div className={classes.chips}>
      {search && <Chip text={`Поиск: «${search}»`} onRemove={onSearchClear} />}
      {conditions.map((condition, i) => {
        const f = entity.all[condition.field] as AnyField
        const remove = () => onChange(conditions.toSpliced(i, 1))
        const key = `${condition.field}.${condition.op}.${condition.value}`
        return (isRef(f) || isRefs(f)) && condition.op !== 'null' ? (
          <RefChip key={key} f={f} to={f.to} condition={condition} onRemove={remove} />
        ) : (
          <Chip key={key} text={conditionWords(f, condition)} onRemove={remove} />
        )
      })}
      <ActionButton label="Сбросить всё" variant="subtle" size="compact-sm" onClick={onReset} />
    </div>
  )
}

function RefChip({
  f,
  to,
  condition,
  onRemove,
}: {
  f: AnyField
  to: string
  condition: FieldCondition
  onRemove: () => void
}) {
  const named = useNamed(to, condition.value.split(',').map(Number))
  return <Chip text={conditionWords(f, condition, named)} onRemove={onRemove} />
}

function Chip({ text, onRemove }: { text: string; onRemove: () => void }) {
  return (
    <span className={classes.chip}>
      <span className={classes.text}>{text}</span>
      <CloseButton size={20} iconSize={14} aria-label={`Убрать: ${text}`} onClick={onRemove} />
    </span>
  )
}
