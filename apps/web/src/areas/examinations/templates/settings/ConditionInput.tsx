import { Input, Select, TextInput } from '@mantine/core'
import { type Condition, type ConditionKind, conditionKinds, isCounted } from '@ordinator/model/areas/examinations/form'
import { NumberField } from '#kit/NumberField.tsx'
import { HStack } from '#kit/Stacks.tsx'
import classes from '../FormEditor.module.css'
import type { FieldProps } from './props.ts'

interface ConditionProps extends Omit<FieldProps, 'onChange'> {
  onChange: (condition: Condition | undefined) => void
}

/** Condition of a field's visibility. */
export function ConditionInput({ field, fields, readOnly, onChange }: ConditionProps) {
  const { showIf } = field
  const others = fields.filter(({ key }) => key !== field.key)
  const asked = others.find(({ key }) => key === showIf?.field)
  const kinds = Object.entries(conditionKinds).filter(
    ([kind]) => (kind !== 'more' && kind !== 'less') || (asked && isCounted(asked)),
  )
  const withValue = showIf && showIf.is !== 'filled' && showIf.is !== 'empty'
  const isNumeric =
    showIf?.is === 'more' ||
    showIf?.is === 'less' ||
    asked?.type === 'number' ||
    asked?.type === 'calc' ||
    asked?.type === 'scale'
  return (
    <Input.Wrapper className={classes.wide} label="Показывать, если" labelElement="div">
      <HStack wrap gap={8}>
        <Select
          flex="1 1 200px"
          aria-label="Поле условия"
          placeholder="Всегда"
          searchable
          clearable
          data={others.map(({ key, label }) => ({ value: key, label }))}
          value={showIf?.field ?? null}
          readOnly={readOnly}
          nothingFoundMessage="Совпадений не найдено"
          onChange={(key) => onChange(key ? { field: key, is: 'filled' } : undefined)}
        />
        {showIf && (
          <Select
            w={170}
            aria-label="Сравнение"
            data={kinds.map(([value, label]) => ({ value, label }))}
            value={showIf.is}
            allowDeselect={false}
            readOnly={readOnly}
            onChange={(is) => onChange({ ...showIf, is: is as ConditionKind })}
          />
        )}
        {withValue &&
          (asked?.options && !isNumeric ? (
            <Select
              flex="1 1 160px"
              aria-label="С чем сравнить"
              data={asked.options}
              value={showIf.value === undefined ? null : String(showIf.value)}
              readOnly={readOnly}
              error={showIf.value === undefined}
              onChange={(value) => onChange({ ...showIf, value: value ?? undefined })}
            />
          ) : isNumeric ? (
            <NumberField
              w={140}
              aria-label="С чем сравнить"
              value={showIf.value ?? null}
              readOnly={readOnly}
              onChange={(value) => onChange({ ...showIf, value: value ?? undefined })}
            />
          ) : (
            <TextInput
              flex="1 1 160px"
              aria-label="С чем сравнить"
              value={String(showIf.value ?? '')}
              readOnly={readOnly}
              onChange={(event) => onChange({ ...showIf, value: event.currentTarget.value })}
            />
          ))}
      </HStack>
    </Input.Wrapper>
  )
}
