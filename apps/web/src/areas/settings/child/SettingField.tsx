import { MultiSelect, PasswordInput, Select, Switch, Textarea, TextInput, Input as Wrap } from '@mantine/core'
import { type CommonSettingName, commonSettings } from '@ordinator/model/areas/settings/commonSettings'
import { type Input, MAX_PICTURE } from '@ordinator/model/areas/settings/setting'
import type { Brief } from '@ordinator/model/brief'
import type { Entity } from '@ordinator/model/entity'
import { type Tariff, tariffLabels } from '@ordinator/model/tariff'
import { useState } from 'react'
import { apiUrl } from '#base/api.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ColorField } from '#kit/ColorField.tsx'
import { DateField } from '#kit/DateField.tsx'
import { FilePicker } from '#kit/FilePicker.tsx'
import { NumberField } from '#kit/NumberField.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { TimeField } from '#kit/TimeField.tsx'
import { TimeZoneSelect } from '#kit/TimeZoneSelect.tsx'
import { Fine } from '#kit/Words.tsx'
import { briefAt } from '#records/declarations.ts'
import { RefSelect } from '#records/fields/RefSelect.tsx'
import { asRows, useList } from '#records/reads.ts'
import { titleOf } from '#records/title.ts'
import type { SettingsDraft } from '../useSettings.ts'
import classes from './SettingField.module.css'
import { ModulesField, TiersList } from './Tariff.tsx'

interface Props {
  name: CommonSettingName
  draft: SettingsDraft
}

/** Input of a setting by its declaration. */
export function SettingField({ name, draft }: Props) {
  const { label, help, input, byDefault } = commonSettings[name]
  const value = draft.valueOf(name)
  const change = (given: unknown) => draft.change(name, given)
  // First error of a list's lines.
  const error = draft.errorOf(name) ?? lineError(name, value, draft)
  const shared = { label, description: help, error, id: fieldId(name) }
  switch (input?.kind) {
    case 'timeZone':
      return <TimeZoneSelect {...shared} value={value as string} onChange={(zone) => zone && change(zone)} />
    case 'hours':
      return <HoursField name={name} draft={draft} />
    case 'choice':
      return (
        <Select
          {...shared}
          data={optionsOf(input.labels)}
          value={value as string}
          allowDeselect={false}
          onChange={(chosen) => chosen && change(chosen)}
        />
      )
    case 'tariff':
      return (
        <>
          <Select
            {...shared}
            data={optionsOf(tariffLabels)}
            value={value as string}
            allowDeselect={false}
            onChange={(chosen) => chosen && change(chosen)}
          />
          <TiersList chosen={value as Tariff} />
        </>
      )
    case 'several':
      return (
        <MultiSelect
          {...shared}
          data={optionsOf(input.labels)}
          value={value as string[]}
          clearable
          onChange={change}
          clearButtonProps={{ 'aria-label': 'Очистить' }}
        />
      )
    case 'modules':
      return <ModulesField {...shared} value={value as string[]} onChange={change} />
    case 'lines':
      return <LinesField {...shared} value={value as string[]} onChange={change} />
    case 'text':
      return (
        <Textarea
          {...shared}
          autosize
          minRows={2}
          maxRows={8}
          value={value as string}
          onChange={(event) => change(event.currentTarget.value)}
        />
      )
    case 'day':
      return <DateField {...shared} value={(value as string) || null} onChange={(day) => change(day ?? '')} />
    case 'record':
      return (
        <RefSelect
          {...shared}
          to={input.to}
          filter={input.filter}
          clearable
          value={(value as number) || null}
          onChange={change}
        />
      )
    case 'recordOf':
      return (
        <RecordOfField
          {...shared}
          input={input}
          value={value as Record<string, number>}
          errorOf={(of) => draft.errorOf(`${name}.${of}`)}
          onChange={change}
        />
      )
    case 'picture':
      return <PictureField {...shared} value={value as string} onChange={change} />
    case 'color':
      return <HueField {...shared} value={value as string} onChange={change} />
    case 'secret':
      return (
        <SecretField
          {...shared}
          isSet={value === true}
          given={typeof value === 'string' ? value : undefined}
          onChange={change}
        />
      )
    case 'switchOf': {
      const { part } = input
      const whole = value as Record<string, boolean>
      return (
        <SwitchField {...shared} checked={whole[part] === true} onChange={(on) => change({ ...whole, [part]: on })} />
      )
    }
  }
  if (typeof byDefault === 'boolean') return <SwitchField {...shared} checked={value === true} onChange={change} />
  if (typeof byDefault === 'number')
    return <NumberField {...shared} value={value as number | string | null} onChange={change} />
  return <TextInput {...shared} value={value as string} onChange={(event) => change(event.currentTarget.value)} />
}

/** Anchor for search results. */
export const fieldId = (name: CommonSettingName) => `setting-${name}`

const optionsOf = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }))

function lineError(name: CommonSettingName, value: unknown, { errorOf }: SettingsDraft): string | undefined {
  if (!Array.isArray(value)) return undefined
  const at = value.findIndex((_, line) => errorOf(`${name}.${line}`))
  return at < 0 ? undefined : `Строка ${at + 1}: ${errorOf(`${name}.${at}`)}`
}

interface FieldProps<T> {
  id: string
  label: string
  description?: string
  error?: string
  value: T
  onChange: (value: T) => void
}

function SwitchField({ checked, onChange, ...shared }: Omit<FieldProps<boolean>, 'value'> & { checked: boolean }) {
  return <Switch {...shared} checked={checked} onChange={(event) => onChange(event.currentTarget.checked)} />
}

interface RecordOfProps extends FieldProps<Record<string, number>> {
  input: Extract<Input, { kind: 'recordOf' }>
  errorOf: (of: string) => string | undefined
}

const MAX_NAMED = 200

/** For each record of one list, a select of related records. */
function RecordOfField({ id, label, description, error, input, value, errorOf, onChange }: RecordOfProps) {
  const entity = briefAt(input.per) as Brief
  const { data, isPending, isError } = useList(entity as Pick<Entity, 'path'> as Entity, { limit: MAX_NAMED })
  const rows = asRows(data?.items ?? [])
  const filter = Object.fromEntries(
    Object.entries(input.filter ?? {}).map(([field, wanted]) => [
      field,
      typeof wanted === 'string' ? wanted : { in: wanted },
    ]),
  )
  return (
    <Wrap.Wrapper label={label} description={description} error={error} labelElement="div">
      {isPending && <LinesSkeleton lines={3} />}
      {isError && <Fine>Список не загрузился: обновите страницу</Fine>}
      {data && rows.length === 0 && <Fine>Выбирать пока не из чего: список «{entity.label[0]}» пуст</Fine>}
      <div className={classes.each} id={id} tabIndex={-1}>
        {rows.map((row) => {
          const of = String(row.id)
          return (
            <RefSelect
              key={of}
              to={input.to}
              filter={{ ...filter, [input.by]: row.id }}
              label={titleOf(entity, row)}
              placeholder="Не выбран"
              clearable
              value={value[of] ?? null}
              error={errorOf(of)}
              onChange={(chosen) => {
                const { [of]: _, ...others } = value
                onChange(chosen === null ? others : { ...others, [of]: chosen })
              }}
            />
          )
        })}
      </div>
    </Wrap.Wrapper>
  )
}

/** The current picture, or a newly chosen one. */
function PictureField({ id, label, description, error, value, onChange }: FieldProps<string>) {
  const take = ([file]: File[]) => {
    if (!file) return
    const reader = new FileReader()
    reader.onload = () => onChange(String(reader.result))
    reader.readAsDataURL(file)
  }
  return (
    <Wrap.Wrapper id={id} label={label} description={description} error={error} labelElement="div">
      <div className={classes.picture}>
        {value && (
          <img
            className={classes.logo}
            src={
              value.startsWith('data:') ? value : apiUrl('GET /settings/pictures/:name', { params: { name: value } })
            }
            alt={label}
          />
        )}
        <FilePicker extensions={['png', 'jpg', 'jpeg', 'webp']} maxSize={MAX_PICTURE} onFiles={take}>
          {value ? 'Заменить' : 'Выбрать картинку'}
        </FilePicker>
        {value && <ActionButton label="Убрать" variant="default" onClick={() => onChange('')} />}
      </div>
    </Wrap.Wrapper>
  )
}

function HueField({ label, description, error, value, onChange }: FieldProps<string>) {
  return (
    <div>
      <ColorField label={label} value={value || null} error={error} onChange={onChange} />
      <div className={classes.under}>
        {description}
        {value && <ActionButton label="Без цвета" size="compact-xs" variant="subtle" onClick={() => onChange('')} />}
      </div>
    </div>
  )
}

/** Texts one per line; empty lines are kept while typing. */
function LinesField({ value, onChange, ...shared }: FieldProps<string[]>) {
  return (
    <Textarea
      {...shared}
      autosize
      minRows={2}
      maxRows={10}
      value={value.join('\n')}
      onChange={(event) => {
        const text = event.currentTarget.value
        onChange(text === '' ? [] : text.split('\n'))
      }}
    />
  )
}

interface SecretProps extends Omit<FieldProps<unknown>, 'value'> {
  isSet: boolean
  /** New value being typed. */
  given: string | undefined
}

/** Write-only input. */
function SecretField({ isSet, given, onChange, ...shared }: SecretProps) {
  const [wasSet] = useState(isSet)
  return (
    <PasswordInput
      {...shared}
      autoComplete="new-password"
      placeholder={isSet || (wasSet && given === undefined) ? 'Задан; впишите новый, чтобы заменить' : 'Не задан'}
      value={given ?? ''}
      onChange={(event) => onChange(event.currentTarget.value || isSet || wasSet)}
    />
  )
}

function HoursField({ name, draft }: Props) {
  const { label, help } = commonSettings[name]
  const value = draft.valueOf(name) as { start: string; end: string }
  const hour = (side: 'start' | 'end') => (
    <TimeField
      id={side === 'start' ? fieldId(name) : undefined}
      aria-label={`${label}, ${side === 'start' ? 'с' : 'до'}`}
      value={value[side]}
      error={draft.errorOf(`${name}.${side}`)}
      onChange={(time) => draft.change(name, { ...value, [side]: time })}
    />
  )
  return (
    <Wrap.Wrapper label={label} description={help} error={draft.errorOf(name)} labelElement="div">
      <div className={classes.hours}>
        {hour('start')}
        <span aria-hidden>—</span>
        {hour('end')}
      </div>
    </Wrap.Wrapper>
  )
}
