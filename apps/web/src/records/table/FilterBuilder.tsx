import { Button, Indicator, Select, Tooltip } from '@mantine/core'
import type { Actor } from '@ordinator/model/access'
import type { AnyField, Entity } from '@ordinator/model/entity'
import type { Operator } from '@ordinator/model/fields/field'
import { IconFilter, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { ActionButton } from '#kit/ActionButton.tsx'
import { IconButton } from '#kit/IconButton.tsx'
import { Popover } from '#kit/Popover.tsx'
import { type FieldCondition, filterableFields, isSound, operatorLabel, operatorsOf } from '../conditions.ts'
import { AskText, YesNo } from '../fields/ask.tsx'
import { uiOf } from '../fields/registry.ts'
import type { AskProps } from '../fields/ui.ts'
import classes from './FilterBuilder.module.css'

interface Props {
  entity: Entity
  actor: Actor
  conditions: FieldCondition[]
  onApply: (conditions: FieldCondition[]) => void
  /** Icon only, for a narrow screen. */
  compact?: boolean
}

/** The filter button and its panel: one line per condition, combined by AND. */
export function FilterBuilder({ entity, actor, conditions, onApply, compact }: Props) {
  const [open, setOpen] = useState(false)
  /** Conditions being edited; Escape closes the panel and keeps them. */
  const [kept, setDraft] = useState<FieldCondition[]>()
  const fields = filterableFields(entity, actor)
  const draft = kept ?? (conditions.length ? conditions : fields[0] ? [blank(fields[0])] : [])
  const close = () => {
    setOpen(false)
    setDraft(undefined)
  }
  const apply = () => {
    onApply(draft.filter((c) => isSound(entity.all[c.field] as AnyField, c)))
    close()
  }
  const count = conditions.length || undefined
  return (
    <Popover
      opened={open}
      onChange={setOpen}
      // Lists and calendars of the panel open outside of it; a click there must not discard the draft.
      closeOnClickOutside={false}
      position="bottom-start"
      width="min(640px, calc(100vw - 24px))"
    >
      <Indicator label={count} disabled={!count} size={18} color="teal.8" offset={2}>
        <Popover.Target>
          {compact ? (
            <IconButton icon={IconFilter} variant="default" size={32} label="Фильтр" onClick={() => setOpen(!open)} />
          ) : (
            <ActionButton label="Фильтр" variant="default" icon={IconFilter} onClick={() => setOpen(!open)} />
          )}
        </Popover.Target>
      </Indicator>
      <Popover.Dropdown aria-label="Фильтр">
        <form
          className={classes.form}
          onSubmit={(event) => {
            event.preventDefault()
            event.stopPropagation()
            apply()
          }}
        >
          {draft.map((condition, i) => (
            <Line
              // biome-ignore lint/suspicious/noArrayIndexKey: a line has nothing else of its own
              key={i}
              entity={entity}
              fields={fields}
              condition={condition}
              onChange={(next) => setDraft(draft.with(i, next))}
              onRemove={() => setDraft(draft.toSpliced(i, 1))}
            />
          ))}
          <div className={classes.foot}>
            <ActionButton
              label="Добавить условие"
              variant="subtle"
              icon={IconPlus}
              disabled={!fields[0] || draft.length >= 20}
              onClick={() =>
                fields[0] &&
                setDraft([...draft, blank(fields.find(([name]) => !draft.some((c) => c.field === name)) ?? fields[0])])
              }
            />
            <span className={classes.space} />
            <ActionButton label="Закрыть" variant="default" onClick={close} />
            <Button type="submit">Применить</Button>
          </div>
        </form>
      </Popover.Dropdown>
    </Popover>
  )
}

function blank([name, f]: [string, AnyField]): FieldCondition {
  const op = operatorsOf(f)[0] ?? 'eq'
  return { field: name, op, value: firstValue(f, op) }
}

const firstValue = (f: AnyField, op: Operator) => (op === 'null' ? '1' : (uiOf(f).ask?.first ?? ''))

interface LineProps {
  entity: Entity
  fields: [string, AnyField][]
  condition: FieldCondition
  onChange: (condition: FieldCondition) => void
  onRemove: () => void
}

function Line({ entity, fields, condition, onChange, onRemove }: LineProps) {
  const f = entity.all[condition.field] as AnyField
  const choose = (op: Operator) => {
    const listed = (o: Operator) => o === 'in' || o === 'nin'
    const keeps = op !== 'null' && condition.op !== 'null' && listed(op) === listed(condition.op)
    onChange({ ...condition, op, value: keeps ? condition.value : firstValue(f, op) })
  }
  return (
    <fieldset className={classes.line} aria-label={`Условие: ${f.options.label}`}>
      <Select
        aria-label="Поле"
        data={fields.map(([name, field]) => ({ value: name, label: field.options.label }))}
        value={condition.field}
        onChange={(name) => {
          const chosen = fields.find(([key]) => key === name)
          if (chosen) onChange(blank(chosen))
        }}
        searchable
        openOnFocus={false}
      />
      <Select
        aria-label="Сравнение"
        data={operatorsOf(f).map((op) => ({ value: op, label: operatorLabel(f, op) }))}
        value={condition.op}
        onChange={(op) => op && choose(op as Operator)}
      />
      <div className={classes.value}>
        <Value f={f} {...condition} onChange={(value) => onChange({ ...condition, value })} />
      </div>
      <Tooltip label="Убрать условие">
        <IconButton icon={IconTrash} size={32} label={`Убрать условие: ${f.options.label}`} onClick={onRemove} />
      </Tooltip>
    </fieldset>
  )
}

function Value({ op, ...props }: AskProps & { op: Operator }) {
  // «заполнено: Нет» is null=1.
  if (op === 'null') return <YesNo {...props} yes="нет" no="да" />
  const Input = uiOf(props.f).ask?.Input ?? AskText
  return <Input {...props} />
}
