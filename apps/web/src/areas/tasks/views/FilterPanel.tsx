import { MultiSelect, SegmentedControl, Select, Switch } from '@mantine/core'
import { useState } from 'react'
import { DateField } from '../../../kit/DateField.tsx'
import { isDay } from '../../../kit/dateText.ts'
import classes from '../../../kit/FilterPanel.module.css'
import { personName } from '../../../kit/UserAvatar.tsx'
import { dueWords, stateWords, type TaskFilters } from '../address.ts'
import type { MemberRow } from '../board/useBoardData.ts'
import { useBoardTags } from '../TagPicker.tsx'

interface Props {
  idBoard: number
  members: readonly MemberRow[]
  filters: TaskFilters
  onChange: (patch: TaskFilters) => void
}

/** Every filter of a board, each taking effect at once. */
export function FilterPanel({ idBoard, members, filters, onChange }: Props) {
  const [wantsTags, setWantsTags] = useState(filters.tags !== undefined)
  const tags = useBoardTags(idBoard, wantsTags)
  const names = [...new Set([...tags.map((tag) => tag.name), ...(filters.tags ?? [])])]
  const people = (by: 'id' | 'idUser') =>
    members.map((m) => ({ value: String(m[by]), label: personName(m.user ?? {}) }))
  const number = (value: string | null) => (value ? Number(value) : undefined)
  const importance = (first: number, last: number, word: string) =>
    Array.from({ length: last - first + 1 }, (_, i) => ({ value: String(first + i), label: `${word} ${first + i}` }))
  return (
    <div className={classes.grid}>
      {(['executor', 'responsible', 'creator'] as const).map((name) => (
        <MultiSelect
          key={name}
          label={{ executor: 'Исполнитель', responsible: 'Ответственный', creator: 'Создатель' }[name]}
          placeholder={filters[name] ? undefined : 'Любой'}
          clearable
          searchable
          nothingFoundMessage="Совпадений не найдено"
          comboboxProps={inside}
          data={people(name === 'creator' ? 'idUser' : 'id')}
          value={(filters[name] ?? []).map(String)}
          onChange={(ids) => onChange({ [name]: ids.length ? ids.map(Number) : undefined })}
        />
      ))}
      <div>
        <div className={classes.label}>Люди</div>
        <SegmentedControl
          fullWidth
          aria-label="Люди"
          data={[
            { value: '', label: 'Всё равно' },
            { value: 'with', label: 'Есть' },
            { value: 'without', label: 'Нет' },
          ]}
          value={filters.people ?? ''}
          onChange={(value) => onChange({ people: (value || undefined) as TaskFilters['people'] })}
        />
      </div>
      <MultiSelect
        label="Состояние"
        placeholder={filters.state ? undefined : 'Любое'}
        clearable
        comboboxProps={inside}
        data={Object.entries(stateWords).map(([value, label]) => ({ value, label }))}
        value={filters.state ?? []}
        onChange={(state) => onChange({ state: state.length ? (state as TaskFilters['state']) : undefined })}
      />
      <MultiSelect
        label="Метки"
        placeholder={filters.tags ? undefined : 'Любые'}
        clearable
        searchable
        nothingFoundMessage="Совпадений не найдено"
        comboboxProps={inside}
        onDropdownOpen={() => setWantsTags(true)}
        data={names}
        value={filters.tags ?? []}
        onChange={(value) => onChange({ tags: value.length ? value : undefined })}
      />
      <div className={classes.pair}>
        <Select
          label="Важность"
          placeholder="от"
          clearable
          comboboxProps={inside}
          data={importance(2, 10, 'от')}
          value={filters.importance ? String(filters.importance) : null}
          onChange={(value) => onChange({ importance: number(value) })}
        />
        <Select
          aria-label="Важность до"
          placeholder="до"
          clearable
          comboboxProps={inside}
          data={importance(1, 9, 'до')}
          value={filters.importanceTo ? String(filters.importanceTo) : null}
          onChange={(value) => onChange({ importanceTo: number(value) })}
        />
      </div>
      <Select
        label="Срок"
        placeholder="Любой"
        clearable
        comboboxProps={inside}
        data={Object.entries(dueWords).map(([value, label]) => ({ value, label }))}
        value={filters.due ?? null}
        onChange={(due) =>
          onChange({
            due: (due ?? undefined) as TaskFilters['due'],
            ...(due !== 'period' && { from: undefined, to: undefined }),
          })
        }
      />
      {filters.due === 'period' && (
        <div className={classes.pair} data-wide>
          <DateField label="С" value={filters.from} onChange={(from) => onChange({ from: dayOrNone(from) })} />
          <DateField label="По" value={filters.to} onChange={(to) => onChange({ to: dayOrNone(to) })} />
        </div>
      )}
      <Switch
        label="Только мои"
        checked={filters.mine === true}
        onChange={(event) => onChange({ mine: event.currentTarget.checked || undefined })}
      />
      <Switch
        label="С непрочитанными комментариями"
        checked={filters.unread === true}
        onChange={(event) => onChange({ unread: event.currentTarget.checked || undefined })}
      />
    </div>
  )
}

/** Lists open within the panel, so that choosing in one does not close it. */
const inside = { withinPortal: false } as const

const dayOrNone = (value: string | null): string | undefined => (value && isDay(value) ? value : undefined)
