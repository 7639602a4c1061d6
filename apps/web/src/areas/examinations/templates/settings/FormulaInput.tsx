import { TextInput } from '@mantine/core'
import { type FormField, isCounted } from '@ordinator/model/areas/examinations/form'
import { FormulaError, fieldsOf, functionNames, readFormula } from '@ordinator/model/areas/examinations/formula'
import { failureWords } from '#kit/failureWords.ts'
import { Fine } from '#kit/Words.tsx'
import classes from '../FormEditor.module.css'
import type { FieldProps } from './props.ts'

export function FormulaInput({
  field,
  fields,
  readOnly,
  onChange,
}: Omit<FieldProps, 'onChange'> & { onChange: (patch: Partial<FormField>) => void }) {
  const usable = fields.filter((one) => one.key !== field.key && isCounted(one))
  return (
    <div className={classes.wide}>
      <TextInput
        label="Формула"
        required
        readOnly={readOnly}
        maxLength={500}
        value={field.formula ?? ''}
        error={wrongFormula(field.formula ?? '', fields)}
        placeholder="вес / (рост / 100) ^ 2"
        onChange={(event) => onChange({ formula: event.currentTarget.value || ' ' })}
      />
      <Fine component="p" mt={4}>
        Поля: {usable.length ? usable.map(({ key }) => key).join(', ') : 'пока нет числовых'}. Действия: + − × ÷ ^,
        сравнения, {functionNames.join(', ')}; значения функций разделяют «;».
      </Fine>
    </div>
  )
}

function wrongFormula(formula: string, fields: readonly FormField[]): string | undefined {
  try {
    const lost = [...fieldsOf(readFormula(formula))].find((key) => !fields.some((one) => one.key === key))
    return lost && `Нет такого поля: ${lost}`
  } catch (error) {
    if (error instanceof FormulaError) return failureWords(error)
    throw error
  }
}
