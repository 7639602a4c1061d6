import { MultiSelect, Select, Switch } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type NewsSource, newsSources } from '@ordinator/model/areas/news/source'
import { formatDate } from '@ordinator/model/format'
import { DateField } from '../../../kit/DateField.tsx'
import { isDay } from '../../../kit/dateText.ts'
import filterBar from '../../../kit/FilterBar.module.css'
import {
  type FilterChip,
  FilterChipLine,
  FilterPanelButton,
  FilterSearch,
  FilterToggle,
} from '../../../kit/FilterBar.tsx'
import panel from '../../../kit/FilterPanel.module.css'
import { AddressViews } from '../../../records/table/AddressViews.tsx'
import {
  activeWords,
  filterCount,
  type NewsAddress,
  type NewsFilters,
  noFilters,
  rememberedOf,
  type SetNewsAddress,
} from '../address.ts'

interface Props {
  address: NewsAddress
  setAddress: SetNewsAddress
}

/** What narrows the news, in whatever view; the address holds it. */
export function NewsFilterBar({ address, setAddress }: Props) {
  const phone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false }) ?? false
  return (
    <div className={filterBar.filters}>
      <div className={filterBar.line}>
        <FilterSearch
          value={address.q}
          onChange={(q) => setAddress({ q }, { replace: true })}
          label="Поиск новости"
          placeholder="Заголовок"
          hotkey={{ label: 'Поиск по новостям', group: 'Список' }}
        />
        <FilterPanelButton count={filterCount(address)} phone={phone} onReset={() => setAddress(noFilters)}>
          <Panel filters={address} onChange={setAddress} />
        </FilterPanelButton>
        {!phone && (
          <FilterToggle
            on={address.unread === true}
            label="Непрочитанные"
            onChange={(on) => setAddress({ unread: on || undefined })}
          />
        )}
        <span className={filterBar.space} />
        <AddressViews<NewsAddress>
          name="news-views"
          address={address}
          remember={rememberedOf}
          nothing={{ ...noFilters, view: undefined }}
          about="Запомнит вид и фильтры"
          setAddress={setAddress}
          phone={phone}
        />
      </div>
      <FilterChipLine chips={chipsOf(address)} onOff={setAddress} onReset={() => setAddress(noFilters)} />
    </div>
  )
}

function Panel({ filters, onChange }: { filters: NewsFilters; onChange: (patch: NewsFilters) => void }) {
  return (
    <div className={panel.grid}>
      <MultiSelect
        label="Источник"
        placeholder={filters.source ? undefined : 'Любой'}
        clearable
        openOnFocus={false}
        comboboxProps={{ withinPortal: false }}
        data={Object.entries(newsSources).map(([value, label]) => ({ value, label }))}
        value={filters.source ?? []}
        onChange={(source) => onChange({ source: source.length ? (source as NewsSource[]) : undefined })}
      />
      <Select
        label="Активность"
        placeholder="Все"
        clearable
        openOnFocus={false}
        comboboxProps={{ withinPortal: false }}
        data={Object.entries(activeWords).map(([value, label]) => ({ value, label }))}
        value={filters.active ?? null}
        onChange={(active) => onChange({ active: (active ?? undefined) as NewsFilters['active'] })}
      />
      <div className={panel.pair} data-wide>
        <DateField label="Дата с" value={filters.from} onChange={(value) => onChange({ from: dayOrNone(value) })} />
        <DateField label="По" value={filters.to} onChange={(value) => onChange({ to: dayOrNone(value) })} />
      </div>
      <Switch
        label="Только непрочитанные"
        checked={filters.unread === true}
        onChange={(event) => onChange({ unread: event.currentTarget.checked || undefined })}
      />
    </div>
  )
}

const dayOrNone = (value: string | null): string | undefined => (value && isDay(value) ? value : undefined)

function chipsOf({ q, source, active, from, to, unread }: NewsFilters): FilterChip<NewsFilters>[] {
  const chips: FilterChip<NewsFilters>[] = []
  const period = [from && `с ${formatDate(from)}`, to && `по ${formatDate(to)}`].filter(Boolean).join(' ')
  if (q) chips.push({ text: `Поиск: «${q}»`, off: { q: undefined } })
  if (source)
    chips.push({ text: `Источник: ${source.map((one) => newsSources[one]).join(', ')}`, off: { source: undefined } })
  if (active) chips.push({ text: activeWords[active], off: { active: undefined } })
  if (period) chips.push({ text: `Дата ${period}`, off: { from: undefined, to: undefined } })
  if (unread) chips.push({ text: 'Непрочитанные', off: { unread: undefined } })
  return chips
}
