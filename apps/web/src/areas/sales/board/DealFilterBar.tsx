import { ActionIcon } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { SalesSource } from '@ordinator/model/areas/sales/lead'
import { User } from '@ordinator/model/areas/staff/user'
import { formatDate } from '@ordinator/model/format'
import { IconArrowsMinimize } from '@tabler/icons-react'
import filterBar from '../../../kit/FilterBar.module.css'
import {
  type FilterChip,
  FilterChipLine,
  FilterPanelButton,
  FilterSearch,
  FilterToggle,
} from '../../../kit/FilterBar.tsx'
import { personName } from '../../../kit/UserAvatar.tsx'
import { useNamed } from '../../../records/fields/RefSelect.tsx'
import { type DealFilters, type DealsAddress, filterCount, noFilters, type SetDealsAddress } from '../address.ts'
import { DealFilterPanel, typeLabels } from '../views/DealFilterPanel.tsx'
import { DealViews } from './DealViews.tsx'

interface Props {
  idFunnel: number
  address: DealsAddress
  setAddress: SetDealsAddress
  compact: boolean
  onCompact: (compact: boolean) => void
}

/** What narrows the deals, in whatever view; the address holds it. */
export function DealFilterBar({ idFunnel, address, setAddress, compact, onCompact }: Props) {
  const phone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false }) ?? false
  const chips = useChips(address)
  const toggles = [
    ['mine', 'Только мои'],
    ['idle', 'Без следующего шага'],
    ['stuck', 'Застряли'],
  ] as const
  return (
    <div className={filterBar.filters}>
      <div className={filterBar.line}>
        <FilterSearch
          value={address.q}
          onChange={(q) => setAddress({ q }, { replace: true })}
          label="Поиск сделки"
          placeholder="Сделка, контакт, телефон"
          hotkey={{ label: 'Поиск по сделкам', group: 'Доска' }}
        />
        <FilterPanelButton count={filterCount(address)} phone={phone} onReset={() => setAddress(noFilters)}>
          <DealFilterPanel filters={address} onChange={setAddress} />
        </FilterPanelButton>
        {!phone &&
          toggles.map(([name, label]) => (
            <FilterToggle
              key={name}
              on={address[name] === true}
              label={label}
              onChange={(on) => setAddress({ [name]: on || undefined })}
            />
          ))}
        <span className={filterBar.space} />
        {(address.view ?? 'board') === 'board' && (
          <ActionIcon
            size={32}
            variant={compact ? 'light' : 'default'}
            aria-label="Компактные карточки"
            aria-pressed={compact}
            title="Компактные карточки"
            onClick={() => onCompact(!compact)}
          >
            <IconArrowsMinimize size={18} />
          </ActionIcon>
        )}
        <DealViews idFunnel={idFunnel} address={address} setAddress={setAddress} phone={phone} />
      </div>
      <FilterChipLine chips={chips} onOff={setAddress} onReset={() => setAddress(noFilters)} />
    </div>
  )
}

function useChips(wanted: DealsAddress): FilterChip<DealFilters>[] {
  const people = useNamed(User.path, wanted.responsible ?? [])
  const sources = useNamed(SalesSource.path, wanted.source ?? [])
  const chips: FilterChip<DealFilters>[] = []
  const named = (ids: number[], rows: { id: number }[]) =>
    ids
      .map((id) => rows.find((row) => row.id === id))
      .map((row) => (row ? personName(row) : '…'))
      .join(', ')
  const period = (label: string, from: 'createdFrom' | 'expectedFrom', to: 'createdTo' | 'expectedTo') => {
    if (!wanted[from] && !wanted[to]) return
    const text = [wanted[from] && `с ${formatDate(wanted[from])}`, wanted[to] && `по ${formatDate(wanted[to])}`]
    chips.push({ text: `${label} ${text.filter(Boolean).join(' ')}`, off: { [from]: undefined, [to]: undefined } })
  }
  if (wanted.q) chips.push({ text: `Поиск: «${wanted.q}»`, off: { q: undefined } })
  if (wanted.mine) chips.push({ text: 'Только мои', off: { mine: undefined } })
  if (wanted.idle) chips.push({ text: 'Без следующего шага', off: { idle: undefined } })
  if (wanted.stuck) chips.push({ text: 'Застряли', off: { stuck: undefined } })
  if (wanted.late) chips.push({ text: 'Шаг просрочен', off: { late: undefined } })
  if (wanted.responsible)
    chips.push({ text: `Ответственный: ${named(wanted.responsible, people)}`, off: { responsible: undefined } })
  if (wanted.source) chips.push({ text: `Источник: ${named(wanted.source, sources)}`, off: { source: undefined } })
  if (wanted.type)
    chips.push({ text: `Этапы: ${wanted.type.map((one) => typeLabels[one]).join(', ')}`, off: { type: undefined } })
  if (wanted.tags) chips.push({ text: `Метки: ${wanted.tags.join(', ')}`, off: { tags: undefined } })
  period('Созданы', 'createdFrom', 'createdTo')
  period('Ожидаются', 'expectedFrom', 'expectedTo')
  return chips
}
