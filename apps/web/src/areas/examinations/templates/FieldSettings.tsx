import { Checkbox, TextInput } from '@mantine/core'
import { Dictionary } from '@ordinator/model/areas/examinations/dictionary'
import { type FormField, fieldSays, keyOf, MAX_LABEL } from '@ordinator/model/areas/examinations/form'
import { useState } from 'react'
import { LateSelect } from '#kit/LateSelect.tsx'
import { NumberField } from '#kit/NumberField.tsx'
import { useList } from '#records/reads.ts'
import classes from './FormEditor.module.css'
import { ConditionInput } from './settings/ConditionInput.tsx'
import { FormulaInput } from './settings/FormulaInput.tsx'
import { isNamedByLabel, KeyInput, keysBut } from './settings/KeyInput.tsx'
import { LinesInput, OptionsInput } from './settings/LinesInput.tsx'
import { PictureSettings } from './settings/PictureSettings.tsx'
import type { FieldProps } from './settings/props.ts'

/** Settings of a field: name, limits, options, condition. */
export function FieldSettings({ field, fields, readOnly, onChange }: FieldProps) {
  // The formula name follows the label until it is used.
  const [named, setNamed] = useState(false)
  const says = (part: keyof FormField) => fieldSays(field.type, part)
  /** Removes empty settings. */
  const set = (patch: Partial<FormField>) => {
    const filled = Object.entries({ ...field, ...patch }).filter(([, value]) => value !== undefined && value !== '')
    onChange({ key: field.key, label: field.label, type: field.type, ...Object.fromEntries(filled) })
  }
  const limit = (part: 'min' | 'max' | 'digits', label: string) =>
    says(part) && (
      <NumberField
        label={label}
        readOnly={readOnly}
        value={field[part] ?? null}
        onChange={(value) => set({ [part]: value ?? undefined })}
      />
    )
  const isScale = field.type === 'scale'
  return (
    <div className={classes.settings}>
      <TextInput
        label="Название"
        required
        readOnly={readOnly}
        maxLength={MAX_LABEL}
        value={field.label}
        onFocus={() => setNamed(isNamedByLabel(field, fields))}
        onChange={(event) => onChange({ ...field, label: event.currentTarget.value })}
        onBlur={() => named && onChange({ ...field, key: keyOf(field.label, keysBut(field, fields)) })}
      />
      <KeyInput field={field} fields={fields} readOnly={readOnly} onChange={(key) => onChange({ ...field, key })} />
      {says('unit') && (
        <TextInput
          label="Единица"
          readOnly={readOnly}
          maxLength={20}
          value={field.unit ?? ''}
          onChange={(event) => set({ unit: event.currentTarget.value })}
        />
      )}
      {limit('digits', 'Знаков после запятой')}
      {limit('min', isScale ? 'От' : 'Норма от')}
      {limit('max', isScale ? 'До' : 'Норма до')}
      {says('dictionary') && <DictionaryInput field={field} readOnly={readOnly} onChange={set} />}
      {says('picture') && (
        <PictureSettings picture={field.picture} readOnly={readOnly} onChange={(picture) => set({ picture })} />
      )}
      {says('options') && <OptionsInput key={field.key} field={field} readOnly={readOnly} onChange={set} />}
      {says('columns') && (
        <LinesInput
          label="Колонки"
          description="По одной в строке"
          lines={field.columns ?? []}
          readOnly={readOnly}
          onChange={(columns) => set({ columns })}
        />
      )}
      {says('phrases') && (
        <LinesInput
          label="Словарь фраз"
          description="По одной в строке: врач вставляет их нажатием"
          lines={field.phrases ?? []}
          readOnly={readOnly}
          onChange={(phrases) => set({ phrases: phrases.length ? phrases : undefined })}
        />
      )}
      {says('formula') && <FormulaInput field={field} fields={fields} readOnly={readOnly} onChange={set} />}
      <TextInput
        className={classes.wide}
        label="Подсказка"
        readOnly={readOnly}
        maxLength={500}
        value={field.help ?? ''}
        onChange={(event) => set({ help: event.currentTarget.value })}
      />
      <ConditionInput field={field} fields={fields} readOnly={readOnly} onChange={(showIf) => set({ showIf })} />
      {field.type !== 'calc' && (
        <Checkbox
          className={classes.wide}
          label="Обязательное: без него осмотр не завершить"
          checked={field.required ?? false}
          disabled={readOnly}
          onChange={(event) => set({ required: event.currentTarget.checked || undefined })}
        />
      )}
    </div>
  )
}

function DictionaryInput({
  field,
  readOnly,
  onChange,
}: Omit<FieldProps, 'fields' | 'onChange'> & { onChange: (patch: Partial<FormField>) => void }) {
  const list = useList(Dictionary, { fields: ['id', 'code', 'name'], limit: 500 }, { forbidden: 'silent' })
  return (
    <LateSelect
      label="Справочник"
      required
      pending={list.isPending}
      data={(list.data?.items ?? []).map(({ code, name }) => ({ value: code, label: name }))}
      value={field.dictionary ?? null}
      readOnly={readOnly}
      error={field.dictionary ? undefined : 'Выберите справочник'}
      onChange={(dictionary) => onChange({ dictionary: dictionary ?? undefined })}
    />
  )
}
