import { ActionIcon, Menu } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconSortDescending } from '@tabler/icons-react'
import { LookMenu } from '../../../kit/board/LookMenu.tsx'
import classes from '../../../kit/FilterBar.module.css'
import { FilterPanelButton, FilterSearch, FilterToggle } from '../../../kit/FilterBar.tsx'
import { MenuChoice } from '../../../kit/MenuChoice.tsx'
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

/** A board has its columns anyway. */
const { column: _columns, ...lanes } = groupings

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
            {view === 'board' ? (
              <LookMenu<Grouping>
                title="Дорожки"
                groupings={lanes}
                group={address.group === 'column' ? undefined : address.group}
                none="Без дорожек"
                onGroup={(group) => setAddress({ group })}
                compact={{ on: compact, onChange: onCompact }}
              />
            ) : (
              <LookMenu<Grouping>
                title="Группы"
                groupings={groupings}
                group={address.group}
                usual="column"
                onGroup={(group) => setAddress({ group })}
              />
            )}
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
                <MenuChoice on={!address.order} label="Свой порядок" onClick={() => setAddress({ order: undefined })} />
                {Object.entries(cardOrders).map(([order, label]) => (
                  <MenuChoice
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
