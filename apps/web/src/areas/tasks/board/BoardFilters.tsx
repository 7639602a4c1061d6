import { ActionIcon, Menu } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconCheck, IconSortDescending, IconStack2 } from '@tabler/icons-react'
import classes from '../../../kit/FilterBar.module.css'
import { FilterPanelButton, FilterSearch, FilterToggle } from '../../../kit/FilterBar.tsx'
import {
  cardOrders,
  filterCount,
  type Grouping,
  groupings,
  noFilters,
  type SetTasksAddress,
  type TasksAddress,
} from '../address.ts'
import { FilterPanel } from '../views/FilterPanel.tsx'
import { BoardViews } from './BoardViews.tsx'
import { FilterChips } from './FilterChips.tsx'
import type { MemberRow } from './useBoardData.ts'

interface Props {
  idBoard: number
  members: readonly MemberRow[]
  address: TasksAddress
  setAddress: SetTasksAddress
  compact: boolean
  onCompact: (compact: boolean) => void
}

/** What narrows, groups and orders a board, in whatever view; the address holds it. */
export function BoardFilters({ idBoard, members, address, setAddress, compact, onCompact }: Props) {
  const phone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false }) ?? false
  const view = address.view ?? 'board'
  return (
    <div className={classes.filters}>
      <div className={classes.line}>
        <FilterSearch
          value={address.q}
          onChange={(q) => setAddress({ q }, { replace: true })}
          label="Поиск задачи"
          placeholder="Найти в задачах"
          hotkey={{ label: 'Поиск по доске', group: 'Доска' }}
        />
        <FilterPanelButton count={filterCount(address)} phone={phone} onReset={() => setAddress(noFilters)}>
          <FilterPanel idBoard={idBoard} members={members} filters={address} onChange={setAddress} />
        </FilterPanelButton>
        {!phone && (
          <>
            <FilterToggle
              on={address.due === 'late'}
              label="Просроченные"
              onChange={(late) => setAddress({ due: late ? 'late' : undefined })}
            />
            <FilterToggle
              on={address.mine === true}
              label="Только мои"
              onChange={(on) => setAddress({ mine: on || undefined })}
            />
          </>
        )}
        <span className={classes.space} />
        {(view === 'board' || view === 'list') && (
          <>
            <GroupMenu
              view={view}
              group={address.group}
              compact={compact}
              onGroup={(group) => setAddress({ group })}
              onCompact={onCompact}
            />
            <Menu position="bottom-end" width={220}>
              <Menu.Target>
                <ActionIcon
                  size={32}
                  variant={address.order ? 'light' : 'default'}
                  aria-label={`Порядок: ${address.order ? cardOrders[address.order] : 'свой'}`}
                  title="Порядок"
                >
                  <IconSortDescending size={18} />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                <Choice on={!address.order} label="Свой порядок" onClick={() => setAddress({ order: undefined })} />
                {Object.entries(cardOrders).map(([order, label]) => (
                  <Choice
                    key={order}
                    on={address.order === order}
                    label={label}
                    onClick={() => setAddress({ order: order as keyof typeof cardOrders })}
                  />
                ))}
              </Menu.Dropdown>
            </Menu>
          </>
        )}
        <BoardViews idBoard={idBoard} address={address} setAddress={setAddress} phone={phone} />
      </div>
      <FilterChips members={members} address={address} setAddress={setAddress} />
    </div>
  )
}

function GroupMenu({
  view,
  group,
  compact,
  onGroup,
  onCompact,
}: {
  view: 'board' | 'list'
  group: Grouping | undefined
  compact: boolean
  onGroup: (group: Grouping | undefined) => void
  onCompact: (compact: boolean) => void
}) {
  const usual = view === 'list' ? 'column' : undefined
  const current = group === 'column' && view === 'board' ? undefined : (group ?? usual)
  const title = view === 'board' ? 'Дорожки' : 'Группы'
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <ActionIcon
          size={32}
          variant={current !== usual || (view === 'board' && compact) ? 'light' : 'default'}
          aria-label={`${title}: ${current ? groupings[current] : 'нет'}`}
          title={title}
        >
          <IconStack2 size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{title}</Menu.Label>
        {view === 'board' && <Choice on={!current} label="Без дорожек" onClick={() => onGroup(undefined)} />}
        {Object.entries(groupings)
          .filter(([name]) => view === 'list' || name !== 'column')
          .map(([name, label]) => (
            <Choice
              key={name}
              on={current === name}
              label={label}
              onClick={() => onGroup(name === usual ? undefined : (name as Grouping))}
            />
          ))}
        {view === 'board' && (
          <>
            <Menu.Divider />
            <Choice on={compact} label="Компактные карточки" onClick={() => onCompact(!compact)} />
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

function Choice({ on, label, onClick }: { on: boolean; label: string; onClick: () => void }) {
  return (
    <Menu.Item
      aria-checked={on}
      role="menuitemcheckbox"
      leftSection={on ? <IconCheck size={16} /> : <span className={classes.gap} />}
      onClick={onClick}
    >
      {label}
    </Menu.Item>
  )
}
