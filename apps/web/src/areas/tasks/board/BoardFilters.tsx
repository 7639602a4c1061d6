import { ActionIcon, Button, CloseButton, MultiSelect, Select, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconAdjustmentsHorizontal, IconSearch, IconX } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useHotkey } from '../../../kit/hotkeys.ts'
import { personName } from '../../../kit/UserAvatar.tsx'
import { isFiltered, noFilters, type SetTasksAddress, type TasksAddress } from '../address.ts'
import { useBoardTags } from '../TagPicker.tsx'
import classes from './BoardFilters.module.css'
import type { MemberRow } from './useBoardData.ts'

const TYPING_MS = 300

interface Props {
  idBoard: number
  members: readonly MemberRow[]
  address: TasksAddress
  setAddress: SetTasksAddress
}

/** The filters of a board; the address holds them. */
export function BoardFilters({ idBoard, members, address, setAddress }: Props) {
  const [shown, setShown] = useState(false)
  const [wantsTags, setWantsTags] = useState(address.tags !== undefined)
  const tags = useBoardTags(idBoard, wantsTags)
  const names = [...new Set([...tags.map((tag) => tag.name), ...(address.tags ?? [])])]
  const filtered = isFiltered(address)
  return (
    <div className={classes.line}>
      <Search value={address.q} onChange={(q) => setAddress({ q }, { replace: true })} />
      <ActionIcon
        className={classes.more}
        variant={filtered ? 'light' : 'default'}
        aria-label="Фильтры"
        aria-expanded={shown}
        onClick={() => setShown(!shown)}
      >
        <IconAdjustmentsHorizontal size={18} />
      </ActionIcon>
      <div className={classes.rest} data-shown={shown || undefined}>
        <Select
          className={classes.person}
          aria-label="Исполнитель"
          placeholder="Исполнитель"
          clearable
          searchable
          data={members.map((m) => ({ value: String(m.id), label: personName(m.user ?? {}) }))}
          value={address.executor ? String(address.executor) : null}
          onChange={(value) => setAddress({ executor: value ? Number(value) : undefined })}
        />
        <Select
          className={classes.importance}
          aria-label="Важность"
          placeholder="Важность"
          clearable
          data={[
            { value: '3', label: 'от 3' },
            { value: '5', label: 'от 5' },
            { value: '7', label: 'от 7' },
            { value: '9', label: 'от 9' },
          ]}
          value={address.importance ? String(address.importance) : null}
          onChange={(value) => setAddress({ importance: value ? Number(value) : undefined })}
        />
        <MultiSelect
          className={classes.tags}
          aria-label="Метки"
          placeholder={address.tags ? undefined : 'Метки'}
          clearable
          searchable
          onDropdownOpen={() => setWantsTags(true)}
          data={names}
          value={address.tags ?? []}
          onChange={(value) => setAddress({ tags: value.length ? value : undefined })}
        />
        <Toggle on={address.overdue} label="Просроченные" onChange={(overdue) => setAddress({ overdue })} />
        <Toggle on={address.mine} label="Только мои" onChange={(mine) => setAddress({ mine })} />
        {filtered && (
          <Button variant="subtle" color="gray" leftSection={<IconX size={16} />} onClick={() => setAddress(noFilters)}>
            Сбросить
          </Button>
        )}
      </div>
    </div>
  )
}

function Toggle({
  on,
  label,
  onChange,
}: {
  on: true | undefined
  label: string
  onChange: (on: true | undefined) => void
}) {
  return (
    <button
      type="button"
      className={classes.toggle}
      aria-pressed={on === true}
      onClick={() => onChange(on ? undefined : true)}
    >
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
      placeholder="Найти задачу"
      leftSection={<IconSearch size={16} />}
      rightSection={text ? <CloseButton size="sm" aria-label="Очистить" onClick={() => change('')} /> : undefined}
      value={text}
      onChange={(event) => change(event.currentTarget.value)}
    />
  )
}
