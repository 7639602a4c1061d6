import { ActionIcon, Button, CloseButton, Menu, Popover, TextInput } from '@mantine/core'
import { useDebouncedCallback, useMediaQuery } from '@mantine/hooks'
import { IconAdjustmentsHorizontal, IconCheck, IconSearch, IconSortDescending, IconStack2 } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useHotkey } from '../../../kit/hotkeys.ts'
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
import classes from './BoardFilters.module.css'
import { BoardViews } from './BoardViews.tsx'
import { FilterChips } from './FilterChips.tsx'
import type { MemberRow } from './useBoardData.ts'

const TYPING_MS = 300

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
  const [opened, setOpened] = useState(false)
  const count = filterCount(address)
  const view = address.view ?? 'board'
  return (
    <div className={classes.filters}>
      <div className={classes.line}>
        <Search value={address.q} onChange={(q) => setAddress({ q }, { replace: true })} />
        <Popover
          opened={opened}
          onChange={setOpened}
          position="bottom-start"
          width={phone ? 328 : 560}
          withinPortal
          trapFocus
          returnFocus
        >
          <Popover.Target>
            {phone ? (
              <ActionIcon
                size={32}
                variant={count ? 'light' : 'default'}
                aria-label="Фильтры"
                onClick={() => setOpened(!opened)}
              >
                <IconAdjustmentsHorizontal size={18} />
              </ActionIcon>
            ) : (
              <Button
                variant={count ? 'light' : 'default'}
                leftSection={<IconAdjustmentsHorizontal size={16} />}
                onClick={() => setOpened(!opened)}
              >
                {count ? `Фильтры: ${count}` : 'Фильтры'}
              </Button>
            )}
          </Popover.Target>
          <Popover.Dropdown className={classes.panel} aria-label="Фильтры">
            <FilterPanel idBoard={idBoard} members={members} filters={address} onChange={setAddress} />
            <div className={classes.panelFoot}>
              <Button variant="subtle" color="gray" disabled={!count} onClick={() => setAddress(noFilters)}>
                Сбросить
              </Button>
              <Button onClick={() => setOpened(false)}>Готово</Button>
            </div>
          </Popover.Dropdown>
        </Popover>
        {!phone && (
          <>
            <Toggle
              on={address.due === 'late'}
              label="Просроченные"
              onChange={(late) => setAddress({ due: late ? 'late' : undefined })}
            />
            <Toggle
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

function Toggle({ on, label, onChange }: { on: boolean; label: string; onChange: (on: boolean) => void }) {
  return (
    <button type="button" className={classes.toggle} aria-pressed={on} onClick={() => onChange(!on)}>
      {label}
    </button>
  )
}

function Search({ value, onChange }: { value: string | undefined; onChange: (value: string | undefined) => void }) {
  const [text, setText] = useState(value ?? '')
  const input = useRef<HTMLInputElement>(null)
  const sent = useRef(value)
  const send = useDebouncedCallback((next: string) => {
    sent.current = next.trim() || undefined
    onChange(sent.current)
  }, TYPING_MS)
  // Back and «Сбросить» change the address from outside; what is being typed is ahead of it.
  useEffect(() => {
    if (value === sent.current) return
    sent.current = value
    setText(value ?? '')
  }, [value])
  useHotkey('/', () => input.current?.focus(), { label: 'Поиск по доске', group: 'Доска' })
  const change = (next: string) => {
    setText(next)
    send(next)
  }
  return (
    <TextInput
      ref={input}
      className={classes.search}
      aria-label="Поиск задачи"
      placeholder="Найти в задачах"
      leftSection={<IconSearch size={16} />}
      rightSection={text ? <CloseButton size="sm" aria-label="Очистить" onClick={() => change('')} /> : undefined}
      value={text}
      onChange={(event) => change(event.currentTarget.value)}
    />
  )
}
