import { MultiSelect, Switch } from '@mantine/core'
import { stageTypes } from '@ordinator/model/areas/sales/funnel'
import { SalesSource } from '@ordinator/model/areas/sales/lead'
import { User } from '@ordinator/model/areas/staff/user'
import { useState } from 'react'
import { DateField } from '../../../kit/DateField.tsx'
import { isDay } from '../../../kit/dateText.ts'
import classes from '../../../kit/FilterPanel.module.css'
import { useList } from '../../../records/reads.ts'
import { type DealFilters, type TypeWord, typeWords } from '../address.ts'
import { useDealTags } from './tags.ts'

interface Props {
  filters: DealFilters
  onChange: (patch: DealFilters) => void
}

export const typeLabels = Object.fromEntries(
  Object.entries(typeWords).map(([word, id]) => [word, stageTypes[id]]),
) as Record<TypeWord, string>

const periods = [
  ['Созданы', 'createdFrom', 'createdTo'],
  ['Ожидаются', 'expectedFrom', 'expectedTo'],
] as const

/** Every filter of the deals, each taking effect at once. */
export function DealFilterPanel({ filters, onChange }: Props) {
  const [wantsTags, setWantsTags] = useState(filters.tags !== undefined)
  const tags = useDealTags(wantsTags)
  const people = useList(
    User,
    { sort: 'fio' as never, limit: 500, fields: ['shortFio', 'fio'] },
    { forbidden: 'silent', staleTime: 60_000 },
  )
  const sources = useList(SalesSource, { sort: 'name', limit: 500 }, { forbidden: 'silent', staleTime: 60_000 })
  const names = [...new Set([...tags.map((tag) => tag.name), ...(filters.tags ?? [])])]
  const ids = (name: 'responsible' | 'source') => ({
    value: (filters[name] ?? []).map(String),
    onChange: (value: string[]) => onChange({ [name]: value.length ? value.map(Number) : undefined }),
  })
  return (
    <div className={classes.grid}>
      <MultiSelect
        {...shared}
        label="Ответственный"
        placeholder={filters.responsible ? undefined : 'Любой'}
        searchable
        data={(people.data?.items ?? []).map((user) => ({
          value: String(user.id),
          label: user.fio || user.shortFio || '—',
        }))}
        {...ids('responsible')}
      />
      <MultiSelect
        {...shared}
        label="Источник"
        placeholder={filters.source ? undefined : 'Любой'}
        searchable
        data={(sources.data?.items ?? []).map((source) => ({ value: String(source.id), label: source.name }))}
        {...ids('source')}
      />
      <MultiSelect
        {...shared}
        label="Тип этапа"
        placeholder={filters.type ? undefined : 'Любой'}
        data={Object.entries(typeLabels).map(([value, label]) => ({ value, label }))}
        value={filters.type ?? []}
        onChange={(type) => onChange({ type: type.length ? (type as TypeWord[]) : undefined })}
      />
      <MultiSelect
        {...shared}
        label="Метки"
        placeholder={filters.tags ? undefined : 'Любые'}
        searchable
        onDropdownOpen={() => setWantsTags(true)}
        data={names}
        value={filters.tags ?? []}
        onChange={(value) => onChange({ tags: value.length ? value : undefined })}
      />
      {periods.map(([label, from, to]) => (
        <div key={from} className={classes.pair} data-wide>
          <DateField
            label={`${label} с`}
            value={filters[from]}
            onChange={(value) => onChange({ [from]: dayOrNone(value) })}
          />
          <DateField label="По" value={filters[to]} onChange={(value) => onChange({ [to]: dayOrNone(value) })} />
        </div>
      ))}
      {flags.map(([name, label]) => (
        <Switch
          key={name}
          label={label}
          checked={filters[name] === true}
          onChange={(event) => onChange({ [name]: event.currentTarget.checked || undefined })}
        />
      ))}
    </div>
  )
}

const flags = [
  ['mine', 'Только мои'],
  ['idle', 'Без следующего шага'],
  ['stuck', 'Застряли на этапе'],
  ['late', 'Следующий шаг просрочен'],
] as const

/** Lists open within the panel, so that choosing in one does not close it. */
const shared = {
  clearable: true,
  openOnFocus: false,
  nothingFoundMessage: 'Совпадений не найдено',
  comboboxProps: { withinPortal: false },
} as const

const dayOrNone = (value: string | null): string | undefined => (value && isDay(value) ? value : undefined)
