import { Checkbox, Input, Select, Textarea, TextInput } from '@mantine/core'
import { Dictionary } from '@ordinator/model/areas/examinations/dictionary'
import {
  type Condition,
  type ConditionKind,
  conditionKinds,
  type FormField,
  fieldSays,
  isCounted,
  isOwnPicture,
  keyOf,
  MAX_LABEL,
  pictures,
} from '@ordinator/model/areas/examinations/form'
import { FormulaError, fieldsOf, functionNames, readFormula } from '@ordinator/model/areas/examinations/formula'
import { MAX_OWN_PICTURE } from '@ordinator/model/areas/examinations/template'
import { useState } from 'react'
import { errorMessage } from '#base/apiError.ts'
import { FilePicker } from '#kit/FilePicker.tsx'
import { LateSelect } from '#kit/LateSelect.tsx'
import { NumberField } from '#kit/NumberField.tsx'
import { notify } from '#kit/notify.tsx'
import { HStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { useList } from '#records/reads.ts'
import { addOwnPicture, dataAddress, ownPictureUrl } from '../ownPicture.ts'
import classes from './FormEditor.module.css'

interface Props {
  field: FormField
  fields: readonly FormField[]
  readOnly: boolean
  onChange: (field: FormField) => void
}

const optionsOf = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }))

/** Settings of a field: name, limits, options, condition. */
export function FieldSettings({ field, fields, readOnly, onChange }: Props) {
  // The formula name follows the label until it is used.
  const [named, setNamed] = useState(false)
  const says = (part: keyof FormField) => fieldSays(field.type, part)
  /** Removes empty settings. */
  const set = (patch: Partial<FormField>) => {
    const said = Object.entries({ ...field, ...patch }).filter(([, value]) => value !== undefined && value !== '')
    onChange({ key: field.key, label: field.label, type: field.type, ...Object.fromEntries(said) })
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

interface PictureProps {
  picture: string | undefined
  readOnly: boolean
  onChange: (picture: string) => void
}

/** A built-in picture, or an own one. */
function PictureSettings({ picture, readOnly, onChange }: PictureProps) {
  const [busy, setBusy] = useState(false)
  const isOwn = isOwnPicture(picture)
  const take = async ([file]: File[]) => {
    if (!file) return
    setBusy(true)
    try {
      onChange(await addOwnPicture(await dataAddress(file)))
    } catch (error) {
      notify.error(errorMessage(error), { title: `Рисунок «${file.name}» не загружен` })
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <Select
        label="Рисунок"
        data={[...optionsOf(pictures), ...(isOwn ? [{ value: picture, label: 'Свой рисунок' }] : [])]}
        value={picture ?? null}
        allowDeselect={false}
        readOnly={readOnly}
        onChange={(chosen) => chosen && onChange(chosen)}
      />
      {!readOnly && (
        <div className={classes.ownPicture}>
          {isOwn && <img src={ownPictureUrl(picture)} alt="Свой рисунок" />}
          <FilePicker
            extensions={['png', 'jpg', 'jpeg', 'svg']}
            maxSize={MAX_OWN_PICTURE}
            disabled={busy}
            size="compact-sm"
            onFiles={(files) => void take(files)}
          >
            {isOwn ? 'Заменить свой рисунок' : 'Загрузить свой рисунок'}
          </FilePicker>
        </div>
      )}
    </>
  )
}

const keysBut = ({ key }: FormField, fields: readonly FormField[]) =>
  new Set(fields.map((one) => one.key).filter((one) => one !== key))

/** True when the name was generated from the label and no formula or condition uses it. */
function isNamedByLabel(field: FormField, fields: readonly FormField[]): boolean {
  if (field.key !== keyOf(field.label, keysBut(field, fields))) return false
  return !fields.some(({ formula = '', showIf }) => showIf?.field === field.key || formula.includes(field.key))
}

/** Formula name: committed on blur, so that fields are not merged while typing. */
function KeyInput({
  field,
  fields,
  readOnly,
  onChange,
}: Omit<Props, 'onChange'> & { onChange: (key: string) => void }) {
  const [typed, setTyped] = useState<string>()
  const isTaken = typed !== undefined && typed !== field.key && fields.some(({ key }) => key === typed)
  return (
    <TextInput
      label="Имя в формулах"
      readOnly={readOnly}
      maxLength={40}
      value={typed ?? field.key}
      error={isTaken ? 'Такое имя уже есть' : undefined}
      onChange={(event) => setTyped(event.currentTarget.value.toLocaleLowerCase('ru'))}
      onBlur={() => {
        if (typed && !isTaken && typed !== field.key) onChange(typed)
        setTyped(undefined)
      }}
    />
  )
}

function DictionaryInput({
  field,
  readOnly,
  onChange,
}: Omit<Props, 'fields' | 'onChange'> & { onChange: (patch: Partial<FormField>) => void }) {
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

interface LinesProps {
  label: string
  description: string
  lines: readonly string[]
  readOnly: boolean
  error?: string
  onChange: (lines: string[]) => void
}

/** List typed one per line; empty lines are allowed while typing. */
function LinesInput({ label, description, lines, readOnly, error, onChange }: LinesProps) {
  const [typed, setTyped] = useState<string>()
  return (
    <Textarea
      className={classes.wide}
      label={label}
      description={description}
      autosize
      minRows={2}
      maxRows={10}
      readOnly={readOnly}
      error={error}
      value={typed ?? lines.join('\n')}
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        onChange([
          ...new Set(
            event.currentTarget.value
              .split('\n')
              .map((line) => line.trim())
              .filter(Boolean),
          ),
        ])
      }}
      onBlur={() => setTyped(undefined)}
    />
  )
}

/** Options, with points for formulas: «Да = 2». */
function OptionsInput({
  field,
  readOnly,
  onChange,
}: Omit<Props, 'fields' | 'onChange'> & { onChange: (patch: Partial<FormField>) => void }) {
  const { options = [], points } = field
  const lines = options.map((option, at) => (points ? `${option} = ${String(points[at]).replace('.', ',')}` : option))
  return (
    <LinesInput
      label="Варианты"
      description="По одному в строке. Чтобы считать баллы в формулах, напишите их через «=»: «Курит = 2»"
      lines={lines}
      readOnly={readOnly}
      error={options.length ? undefined : 'Нужен хотя бы один вариант'}
      onChange={(written) => {
        const read = written.map(optionOf)
        const counted = read.some(({ point }) => point !== undefined)
        onChange({
          options: read.map(({ option }) => option),
          points: counted ? read.map(({ point }) => point ?? 0) : undefined,
        })
      }}
    />
  )
}

function optionOf(line: string): { option: string; point: number | undefined } {
  const found = /^(.+?)\s*=\s*(-?\d+(?:[.,]\d+)?)$/.exec(line)
  return found
    ? { option: (found[1] as string).trim(), point: Number((found[2] as string).replace(',', '.')) }
    : { option: line, point: undefined }
}

function FormulaInput({
  field,
  fields,
  readOnly,
  onChange,
}: Omit<Props, 'onChange'> & { onChange: (patch: Partial<FormField>) => void }) {
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
    if (error instanceof FormulaError) return error.message
    throw error
  }
}

interface ConditionProps extends Omit<Props, 'onChange'> {
  onChange: (condition: Condition | undefined) => void
}

/** Condition of a field's visibility. */
function ConditionInput({ field, fields, readOnly, onChange }: ConditionProps) {
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
