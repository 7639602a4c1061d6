import { TextInput } from '@mantine/core'
import type { FormField, FormFieldType } from '@ordinator/model/areas/examinations/form'
import { outOfNorm } from '@ordinator/model/areas/examinations/formValues'
import { valueWords } from '@ordinator/model/areas/examinations/paper'
import { partOf } from '@ordinator/model/areas/examinations/parts'
import { formatNumber } from '@ordinator/model/format'
import { type ComponentType, memo } from 'react'
import { useUserSettings } from '#base/session.ts'
import { DateField } from '#kit/DateField.tsx'
import { NumberField } from '#kit/NumberField.tsx'
import { plainText } from '#records/fields/richText.tsx'
import { ChoiceField, MultiField, ScaleField, TermField } from './ChoiceInputs.tsx'
import classes from './Editor.module.css'
import { FieldFrame } from './FieldFrame.tsx'
import type { FieldProps } from './fieldProps.ts'
import { PictureField } from './PictureInput.tsx'
import { TableField } from './TableInput.tsx'
import { TeethField } from './TeethInput.tsx'
import { RichField, TextField } from './TextInputs.tsx'
import { useCalculated, usePart, useShown } from './useDraft.ts'

const NumberInput = ({ field, value, set, frame }: FieldProps) => {
  const colored = useUserSettings().main.showExaminationColors
  const mark = colored && typeof value === 'number' ? outOfNorm(field, value) : undefined
  return (
    <div className={classes.value} data-mark={mark}>
      <NumberField
        {...frame}
        label={mark ? `${frame.label} ${mark === 'high' ? '↑' : '↓'}` : frame.label}
        description={frame.description ?? normText(field)}
        value={value as number | null}
        onChange={set}
        unit={field.unit}
        digits={undefined}
      />
    </div>
  )
}

const DateInput = ({ value, set, frame }: FieldProps) => (
  <DateField {...frame} value={typeof value === 'string' ? value : null} onChange={set} />
)

/** «Норма 60–90». */
function normText({ min, max }: FormField): string | undefined {
  if (min !== undefined && max !== undefined) return `Норма ${formatNumber(min)}–${formatNumber(max)}`
  return min !== undefined
    ? `Норма от ${formatNumber(min)}`
    : max !== undefined
      ? `Норма до ${formatNumber(max)}`
      : undefined
}

const inputs: Record<Exclude<FormFieldType, 'calc'>, ComponentType<FieldProps>> = {
  text: TextField,
  rich: RichField,
  number: NumberInput,
  date: DateInput,
  choice: ChoiceField,
  multi: MultiField,
  scale: ScaleField,
  dictionary: TermField,
  icd10: TermField,
  teeth: TeethField,
  picture: PictureField,
  table: TableField,
}

const wide: ReadonlySet<FormFieldType> = new Set([
  'text',
  'rich',
  'multi',
  'scale',
  'teeth',
  'picture',
  'table',
  'icd10',
])

interface Props {
  field: FormField
  readOnly: boolean
}

/** A field of the form. Subscribes only to its own part and to the inputs of its condition or formula. */
export const FormFieldInput = memo(function FormFieldInput({ field, readOnly }: Props) {
  const shown = useShown(field.key)
  if (!shown) return null
  return (
    <div className={wide.has(field.type) ? classes.wide : undefined}>
      {field.type === 'calc' ? <Calculated field={field} /> : <Filled field={field} readOnly={readOnly} />}
    </div>
  )
})

function Filled({ field, readOnly }: Props) {
  const part = partOf(field.key)
  const { value, set, error } = usePart<unknown>(part)
  const Input = inputs[field.type as Exclude<FormFieldType, 'calc'>]
  const { label, help, required } = field
  return (
    <FieldFrame
      part={part}
      label={label}
      words={(one) => (one === null ? '' : field.type === 'rich' ? plainText(one) : valueWords(field, one))}
    >
      <Input
        field={field}
        value={value}
        set={set}
        frame={{
          label,
          ...(help && { description: help }),
          ...(error && { error }),
          ...(required && { required }),
          ...(readOnly && { readOnly }),
        }}
      />
    </FieldFrame>
  )
}

/** Result of a formula, or the reason why there is none. */
function Calculated({ field }: { field: FormField }) {
  const colored = useUserSettings().main.showExaminationColors
  const found = useCalculated(field.key)
  const mark = colored ? outOfNorm(field, found?.value) : undefined
  return (
    <div className={classes.value} data-mark={mark}>
      <TextInput
        readOnly
        variant="filled"
        label={mark ? `${field.label} ${mark === 'high' ? '↑' : '↓'}` : field.label}
        description={field.help ?? normText(field)}
        value={found?.value === undefined ? '' : valueWords(field, found.value)}
        placeholder={found?.why ?? 'Считается по другим полям'}
      />
    </div>
  )
}
