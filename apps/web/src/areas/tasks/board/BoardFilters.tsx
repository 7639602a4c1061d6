import { IconSortDescending } from '@tabler/icons-react'
import { ActionMenu } from '#kit/ActionMenu.tsx'
import { LookMenu } from '#kit/board/LookMenu.tsx'
import { MenuChoice } from '#kit/MenuChoice.tsx'
import { FilterBar } from '#records/filters/FilterBar.tsx'
import { cardOrders, type Grouping, groupings, type SetTasksAddress, type TasksAddress } from '../address.ts'
import type { MemberRow } from '../people.ts'
import { taskFilters } from '../taskFilters.tsx'
import { BoardViews } from './BoardViews.tsx'

/** A board is already grouped by column. */
const { column: _columns, ...lanes } = groupings

interface Props {
  idBoard: number
  members: readonly MemberRow[]
  address: TasksAddress
  setAddress: SetTasksAddress
  compact: boolean
  onCompact: (compact: boolean) => void
}

/** Filters, grouping and order in every view, stored in the URL. */
export function BoardFilters({ idBoard, members, address, setAddress, compact, onCompact }: Props) {
  const view = address.view ?? 'board'
  return (
    <FilterBar filters={taskFilters} values={address} onChange={setAddress} context={{ idBoard, members }}>
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
          <ActionMenu
            label={`Порядок: ${address.order ? cardOrders[address.order] : 'свой'}`}
            icon={IconSortDescending}
            variant={address.order ? 'light' : 'default'}
            size={32}
            width={220}
          >
            <MenuChoice on={!address.order} label="Свой порядок" onClick={() => setAddress({ order: undefined })} />
            {Object.entries(cardOrders).map(([order, label]) => (
              <MenuChoice
                key={order}
                on={address.order === order}
                label={label}
                onClick={() => setAddress({ order: order as keyof typeof cardOrders })}
              />
            ))}
          </ActionMenu>
        </>
      )}
      <BoardViews idBoard={idBoard} address={address} setAddress={setAddress} />
    </FilterBar>
  )
}
